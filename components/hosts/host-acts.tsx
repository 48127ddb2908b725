"use client";
// What may be asked of a host: the acts that are allowed as buttons, the others in the menu with their reason.
import { useMutation } from "@tanstack/react-query";
import { useId, useState, type ReactNode } from "react";
import { useMe } from "@/components/frame/me";
import { useKey } from "@/components/frame/keyboard";
import { useOfferActs } from "@/components/frame/page-acts";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import { Menu, MenuAct } from "@/components/ui/menu";
import { Notice } from "@/components/ui/notice";
import { useSay } from "@/components/ui/toast";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

/** Buttons beside the name at most; the rest is in the menu. */
const mostButtons = 3;

/** Acts that take something for good: the name is typed. */
const needsName = (action: HostAction) => action.intent === "forceDelete";
const needsReason = (action: HostAction) => action.intent === "setMaintenance";
/** Asks before it acts; the others act at once. */
const asks = (action: HostAction) => action.danger || needsReason(action);
const buttonWords = (action: HostAction) => (asks(action) ? `${action.words}…` : action.words);

/** Nothing for those who may not act: an auditor sees the page without buttons. */
export function HostActs({ host, onDone }: { host: HostDetail; onDone: () => void }) {
  const me = useMe();
  const [asked, setAsked] = useState<HostAction>();
  const act = useAct(host, () => setAsked(undefined), onDone);
  const allowed = host.actions.filter((action) => action.allowed);
  const begin = (action: HostAction) => {
    setAsked(action);
    if (!asks(action)) act.begin(action);
  };
  useOfferActs(me.mayWriteHosts ? allowed.map((action) => ({ words: `${buttonWords(action)} (${host.name})`, run: () => begin(action) })) : []);
  useKey("r", () => {
    const retry = allowed.find((action) => action.intent === "retry");
    if (me.mayWriteHosts && retry !== undefined && asked === undefined) begin(retry);
  });
  if (!me.mayWriteHosts || host.actions.length === 0) return null;
  const buttons = allowed.filter((action) => !needsName(action)).slice(0, mostButtons);
  const inMenu = host.actions.filter((action) => !buttons.includes(action));
  const close = () => {
    setAsked(undefined);
    act.forget();
  };
  return (
    <>
      {buttons.map((action, index) => (
        <Button key={action.intent} kind={index === 0 && host.tone === "failed" ? "main" : "ordinary"} onClick={() => begin(action)} busy={act.busy && asked?.intent === action.intent}>
          {buttonWords(action)}
          {action.intent === "retry" ? <kbd aria-hidden="true">r</kbd> : null}
        </Button>
      ))}
      {inMenu.length === 0 ? null : (
        <Menu
          trigger={
            <button type="button" className="btn dots" aria-label="More actions">
              ···
            </button>
          }
        >
          {inMenu.map((action) => (
            <MenuAct key={action.intent} disabledReason={action.allowed ? undefined : (action.reason ?? "not possible now")} onSelect={() => begin(action)}>
              {buttonWords(action)}
            </MenuAct>
          ))}
        </Menu>
      )}
      {asked !== undefined && asks(asked) ? <AskDialog host={host} action={asked} busy={act.busy} error={act.error} onClose={close} onConfirm={(reason) => act.begin(asked, reason)} /> : null}
      <Dialog open={asked !== undefined && !asks(asked) && act.error !== null} onClose={close} title={`${asked?.words ?? ""}: not done`}>
        <div className="error">{act.error}</div>
        <div className="acts">
          <Button onClick={close}>Close</Button>
        </div>
      </Dialog>
    </>
  );
}

/** Intents carry the state that the person saw, so that a host that moved on is not acted on. */
function send(client: ReturnType<typeof useTRPCClient>, host: HostDetail, { intent }: HostAction, reason: string): Promise<unknown> {
  const hostId = host.id;
  switch (intent) {
    case "setMaintenance":
      return client.host.setMaintenance.mutate({ hostId, reason });
    case "clearMaintenance":
      return client.host.clearMaintenance.mutate({ hostId });
    case "assign":
    case "release":
    case "clean":
    case "abort":
    case "hold":
    case "resume":
      throw new Error(`${intent} is no act on a host's page`);
    default:
      return client.host.act.mutate({ hostId, intent, stateVersion: host.stateVersion });
  }
}

/** Sends one act; says that it was taken, or gives what went wrong. */
function useAct(host: HostDetail, onTaken: () => void, onDone: () => void) {
  const say = useSay();
  const client = useTRPCClient();
  const mutation = useMutation({ mutationFn: ({ action, reason }: { action: HostAction; reason: string }) => send(client, host, action, reason), onSettled: onDone });
  const problem = mutation.error === null ? undefined : problemOf(mutation.error);
  return {
    busy: mutation.isPending,
    error:
      problem === undefined ? null : (
        <Notice tone="failed" requestId={problem.requestId}>
          {problem.words}
        </Notice>
      ),
    forget: mutation.reset,
    begin: (action: HostAction, reason = "") =>
      mutation.mutate(
        { action, reason },
        {
          onSuccess: () => {
            say(`${action.words}: asked for on ${host.name}`);
            onTaken();
          },
        },
      ),
  };
}

interface AskDialogProps {
  host: HostDetail;
  action: HostAction;
  busy: boolean;
  error: ReactNode;
  onClose: () => void;
  onConfirm: (reason?: string) => void;
}

/** Says the consequence and asks, for a reason where the act needs one. */
function AskDialog({ host, action, busy, error, onClose, onConfirm }: AskDialogProps) {
  const [reason, setReason] = useState("");
  const reasonId = useId();
  const wantsReason = needsReason(action);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${action.words}: ${host.name}?`}
      consequence={<p>{action.consequence}</p>}
      confirmWords={action.words}
      cancelWords="Leave it"
      busy={busy}
      error={error}
      onConfirm={() => onConfirm(wantsReason ? reason.trim() : undefined)}
      missing={wantsReason && reason.trim() === "" ? "Give a reason first" : undefined}
      field={
        wantsReason ? (
          <div className="field">
            <label htmlFor={reasonId}>Reason, shown to everyone who looks at the host</label>
            <textarea id={reasonId} value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
          </div>
        ) : null
      }
      {...(needsName(action) ? { typeName: host.name } : {})}
    />
  );
}

"use client";
// What can be requested of a host: allowed acts as buttons, the others in the menu with the reason.
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { noReason, type Reason, reasonSchema, reasonSpecs } from "@/components/hosts/one/reason-fields";
import { useMe } from "@/components/frame/me";
import { useKey } from "@/components/frame/keyboard";
import { useAskedAct } from "@/components/frame/asked-act";
import { useOfferActs } from "@/components/frame/page-acts";
import { Refused } from "@/components/trpc/problem-notice";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialogs/dialog";
import { Menu, MenuAct } from "@/components/ui/menu";
import { useSay } from "@/components/ui/toast";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";
import {
  AcceptLeftoversDialog,
  BmcDialog,
  CertificateDialog,
  DecommissionDialog,
  LabelsDialog,
  PlaceDialog,
  SkuDialog,
} from "@/components/hosts/one/host-dialogs";
import { BootDialog } from "@/components/hosts/one/bmc/boot-dialog";
import { DriveDialog } from "@/components/hosts/inventory/drive-dialog";
import { sendAct } from "@/components/hosts/one/send-act";
import { offeredActs, switchesPower } from "@/components/hosts/one/offered-acts";
import { ReplaceDriveDialog } from "@/components/hosts/one/replace-drive-dialog";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";
import { replaceDriveAct } from "@/server/domain/hosts/advice/replace-drive";
import { askText } from "@/components/hosts/one/ask-text";
import { ActDialog, ActFormDialog } from "@/components/ui/dialogs/act-dialog";

// Confirms an act on a host: states what it will do, and asks for a reason or the host's name if needed.
/** Destructive acts: the host's name has to be typed. */
const needsName = (action: HostAction) => action.intent === "forceDelete" || action.intent === "decommission";
const needsReason = (action: HostAction) =>
  ["setMaintenance", "confirmUntouched", "recheck", "hold"].includes(action.intent);
const formActs: ReadonlySet<HostAction["intent"]> = new Set(["setPlace", "setLabels", "setBmc"]);
/** Whether the act opens a dialog or another page; all others run at once. */
const asks = (action: HostAction) => action.danger || needsReason(action) || formActs.has(action.intent);

interface AskDialogProps {
  host: HostDetail;
  action: HostAction;
  send: (reason: Reason) => Promise<unknown>;
  onClose: () => void;
  onDone: () => void;
}

function AskDialog({ host, action, send, ...rest }: AskDialogProps) {
  const shared = { ...askText(host, action), said: acceptedText(action, host), ...rest };
  if (!needsReason(action))
    return (
      <ActDialog
        {...shared}
        typeName={needsName(action) ? host.name : undefined}
        send={() => send(noReason)}
      />
    );
  const isHold = action.intent === "hold";
  return (
    <ActFormDialog
      {...shared}
      schema={reasonSchema}
      values={{ ...noReason, reason: isHold ? (host.asked.hold?.reason ?? "") : "" }}
      fields={reasonSpecs(isHold)}
      send={send}
    />
  );
}

/** The server has accepted the act; the controller carries it out later. */
const acceptedText = (action: HostAction, host: HostDetail): string =>
  `${action.words}: requested on ${host.name}`;

/** Maximum number of buttons next to the name; the rest goes into the menu. */
const maxButtons = 3;

const buttonLabel = (action: HostAction) => (asks(action) ? `${action.words}…` : action.words);
const replaceLabel = `${replaceDriveAct.words}…`;
/** Shortcut keys for acts. */
const keyOf: Partial<Record<HostAction["intent"], string>> = { retry: "r", hold: "h" };

/** The act that was started: an act without questions is sent at once, any other opens its dialog. */
function useBegun(host: HostDetail, onDone: () => void) {
  const router = useRouter();
  const [asked, setAsked] = useState<HostAction>();
  const [confirmed, setConfirmed] = useState(false);
  const act = useAct(host, () => setAsked(undefined), onDone);
  const begin = (action: HostAction) => {
    // Steps, their order and their arguments are chosen on a separate page.
    if (action.intent === "clean") return router.push(routes.cleaning.manual({ hosts: [host.name] }));
    setConfirmed(false);
    setAsked(action);
    if (!asks(action)) act.begin(action);
  };
  /** With its dialog, also for an act that asks nothing where its host is in sight. */
  const confirm = (action: HostAction) => {
    if (action.intent === "clean") return begin(action);
    setConfirmed(true);
    setAsked(action);
  };
  const close = () => {
    setAsked(undefined);
    act.forget();
  };
  const sending = act.busy ? asked?.intent : undefined;
  return { asked, confirmed, begin, confirm, close, problem: act.problem, sending };
}

/** Offers the acts to the palette and as shortcuts; shortcuts are off while a dialog is open. */
function useOffered(
  host: HostDetail,
  allowed: readonly HostAction[],
  begin: (action: HostAction) => void,
  { keysOn, replace }: { keysOn: boolean; replace: (() => void) | null },
) {
  useOfferActs([
    ...(replace === null ? [] : [{ words: `${replaceLabel} (${host.name})`, run: replace }]),
    ...allowed.map((action) => ({
      words: `${buttonLabel(action)} (${host.name})`,
      run: () => begin(action),
    })),
  ]);
  const byKey = (intent: HostAction["intent"]) => {
    const action = allowed.find((candidate) => candidate.intent === intent);
    if (keysOn && action !== undefined) begin(action);
  };
  useKey("r", () => byKey("retry"));
  useKey("h", () => byKey("hold"));
}

/** Empty for users who may not act: an auditor sees the page without buttons. */
export function HostActs({ host, onDone }: { host: HostDetail; onDone: () => void }) {
  const me = useMe();
  const say = useSay();
  const [replacing, setReplacing] = useState(false);
  const { asked, confirmed, begin, confirm, close, problem, sending } = useBegun(host, onDone);
  const offered = me.mayWriteHosts ? offeredActs(host) : [];
  useAskedAct("act", (intent) => {
    const action = offered.find((candidate) => candidate.intent === intent);
    if (action?.allowed === true) confirm(action);
    else if (action !== undefined) say(`${action.words}: ${action.reason ?? "not possible now"}`);
  });
  const allowed = offered.filter((action) => action.allowed);
  const replaces = host.replaceDrive != null && reachOf(me.role, replaceDriveAct.right) !== "none";
  const replace = replaces ? () => setReplacing(true) : null;
  useOffered(host, allowed, begin, { keysOn: asked === undefined && !replacing, replace });
  if (offered.length === 0) return null;
  const buttons = allowed
    .filter((action) => !needsName(action) && !switchesPower(action))
    .slice(0, replaces ? maxButtons - 1 : maxButtons);
  return (
    <>
      {replace === null ? null : (
        <Button kind="main" onClick={replace}>
          {replaceLabel}
        </Button>
      )}
      {buttons.map((action, index) => (
        <Button
          key={action.intent}
          kind={index === 0 && host.tone === "failed" && replace === null ? "main" : "ordinary"}
          onClick={() => begin(action)}
          busy={sending === action.intent}
        >
          {buttonLabel(action)}
          {keyOf[action.intent] === undefined ? null : <kbd aria-hidden="true">{keyOf[action.intent]}</kbd>}
        </Button>
      ))}
      {replacing && host.replaceDrive != null ? (
        <ReplaceDriveDialog
          host={host}
          ticket={host.replaceDrive}
          onClose={() => setReplacing(false)}
          onDone={onDone}
        />
      ) : null}
      <MoreActs acts={offered.filter((action) => !buttons.includes(action))} onAct={begin} />
      {asked === undefined ? null : confirmed || asks(asked) ? (
        <ActionDialog host={host} action={asked} onClose={close} onDone={onDone} />
      ) : (
        <Dialog open={problem !== undefined} onClose={close} title={`${asked.words}: failed`}>
          <div className="error">
            <Refused problem={problem} />
          </div>
          <div className="acts">
            <Button onClick={close}>Close</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** Acts that are not possible now are listed last, with the reason. */
function MoreActs({ acts, onAct }: { acts: readonly HostAction[]; onAct: (action: HostAction) => void }) {
  if (acts.length === 0) return null;
  const possibleFirst = [...acts].sort((a, b) => Number(b.allowed) - Number(a.allowed));
  return (
    <Menu
      trigger={
        <button type="button" className="btn dots" aria-label="More actions">
          ···
        </button>
      }
    >
      {possibleFirst.map((action) => (
        <MenuAct
          key={action.intent}
          disabledReason={action.allowed ? undefined : (action.reason ?? "not possible now")}
          onSelect={() => onAct(action)}
        >
          {buttonLabel(action)}
        </MenuAct>
      ))}
    </Menu>
  );
}

/** The dialog of an act: for a drive, a SKU, a reason, the name, or a plain confirmation. */
function ActionDialog(props: {
  host: HostDetail;
  action: HostAction;
  onClose: () => void;
  onDone: () => void;
}) {
  const client = useTRPCClient();
  switch (props.action.intent) {
    case "disposeDrive":
      return <DriveDialog {...props} />;
    case "assignSku":
      return <SkuDialog {...props} />;
    case "setPlace":
      return <PlaceDialog {...props} />;
    case "setLabels":
      return <LabelsDialog {...props} />;
    case "setBoot":
      return <BootDialog {...props} />;
    case "setBmc":
      return <BmcDialog {...props} />;
    case "confirmCertificate":
      return <CertificateDialog {...props} />;
    case "decommission":
      return <DecommissionDialog {...props} />;
    case "acceptLeftovers":
      return <AcceptLeftoversDialog {...props} />;
    default:
      return <AskDialog {...props} send={(reason) => sendAct(client, props.host, props.action, reason)} />;
  }
}

/** Sends an act that needs no dialog, then shows that it was accepted or what went wrong. */
function useAct(host: HostDetail, onTaken: () => void, onDone: () => void) {
  const say = useSay();
  const client = useTRPCClient();
  const mutation = useMutation({
    mutationFn: (action: HostAction) => sendAct(client, host, action, noReason),
    onSettled: onDone,
  });
  return {
    busy: mutation.isPending,
    problem: mutation.error === null ? undefined : problemOf(mutation.error),
    forget: mutation.reset,
    begin: (action: HostAction) =>
      mutation.mutate(action, {
        onSuccess: () => {
          say(acceptedText(action, host));
          onTaken();
        },
      }),
  };
}

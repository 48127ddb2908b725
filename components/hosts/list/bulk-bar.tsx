"use client";
// Acts on the selected hosts: on how many each is possible, and the dialogs that confirm them.
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { BulkDialog, type BulkTarget } from "@/components/hosts/bulk/bulk-dialog";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCount } from "@/server/domain/numbers";
import { Button } from "@/components/ui/button";
import { Menu, MenuAct } from "@/components/ui/menu";
import type { BulkIntent } from "@/server/domain/hosts/bulk-intents";
import { hostActions } from "@/server/domain/hosts/host-actions";
import { routes } from "@/server/domain/console/routes";

// The acts that make sense on many hosts at once. Their labels and consequences come from the domain.
/** Shown as buttons with the number of hosts they are possible on. */
const buttons = ["retry", "manage", "provide"] as const;
/** Behind the "more" button. */
const others = [
  "hold",
  "resume",
  "abort",
  "restart",
  "setMaintenance",
  "clearMaintenance",
  "decommission",
] as const;

const bulkButtons = buttons.map((intent) => ({ intent, words: hostActions[intent].words }));
const bulkMenu = others.map((intent) => ({ intent, words: hostActions[intent].words }));

interface BulkBarProps {
  target: BulkTarget;
  count: number;
  /** How many hosts the page's filter matches; null if that was not counted, or if all of them are selected. */
  all: number | null;
  /** The act whose dialog is open. */
  asked: BulkIntent | undefined;
  onAsk: (intent: BulkIntent | undefined) => void;
  onAll: () => void;
  onClear: () => void;
}

/** Floats over the end of the table while something is selected. */
export function BulkBar({ target, count, all, asked, onAsk, onAll, onClear }: BulkBarProps) {
  const router = useRouter();
  const clean = () =>
    router.push(
      routes.cleaning.manual("filter" in target ? { filter: target.filter } : { hosts: target.hostIds }),
    );
  return (
    <>
      <div className="bulk" role="toolbar" aria-label="Selected hosts">
        <b className="text-medium">
          {formatCount(count)} selected{"filter" in target ? " by filter" : ""}
        </b>
        {all === null ? null : (
          <span className="text-quiet">
            or{" "}
            <button type="button" className="copy" onClick={onAll}>
              all {formatCount(all)} of this filter
            </button>
          </span>
        )}
        <div className="acts end">
          {bulkButtons.map((act) => (
            <BulkButton key={act.intent} {...act} target={target} onAsk={() => onAsk(act.intent)} />
          ))}
          <Button onClick={clean}>{hostActions.clean.words}…</Button>
          <Menu
            trigger={
              <button type="button" className="btn dots" aria-label="More acts on the selected hosts">
                ···
              </button>
            }
          >
            {bulkMenu.map(({ intent, words }) => (
              <MenuAct key={intent} onSelect={() => onAsk(intent)}>
                {words}…
              </MenuAct>
            ))}
          </Menu>
          <Button kind="plain" onClick={onClear} aria-label="Clear the selection">
            Clear
          </Button>
        </div>
      </div>
      {asked === undefined ? null : (
        <BulkDialog intent={asked} target={target} onClose={() => onAsk(undefined)} />
      )}
    </>
  );
}

interface BulkButtonProps {
  intent: (typeof bulkButtons)[number]["intent"];
  words: string;
  target: BulkTarget;
  onAsk: () => void;
}

/** "Retry on 2", or disabled with the reason of the first host that cannot. A selection too large to count here leaves that to the dialog. */
function BulkButton({ intent, words, target, onAsk }: BulkButtonProps) {
  const trpc = useTRPC();
  const { data: preview, isError } = useQuery({
    ...trpc.hosts.preview.queryOptions({ intent, target }),
    staleTime: 2000,
    placeholderData: (before) => before,
    retry: false,
  });
  const can = preview?.can ?? 0;
  const first = preview?.cannot[0];
  const reason =
    isError || can > 0
      ? undefined
      : preview === undefined
        ? "Checking which hosts qualify…"
        : first === undefined
          ? "None of the hosts qualifies"
          : `${first.name}: ${first.reason}`;
  return (
    <Button kind={intent === "retry" ? "main" : "ordinary"} onClick={onAsk} disabledReason={reason}>
      {!isError && can > 0 ? `${words} on ${can}…` : `${words}…`}
    </Button>
  );
}

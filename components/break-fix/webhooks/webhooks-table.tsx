// The webhooks table: name, URL, status, pending events.
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { StateLabel } from "@/components/ui/state-label";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { WebhookRow } from "@/server/surfaces/trpc/types";
import { WebhookActs, type WebhookAct } from "@/components/break-fix/webhooks/webhook-act";
import { formatKinds, lastAnswerOf, webhookStatus } from "@/components/break-fix/webhooks/webhook-text";

const quiet = (text: string) => <span className="text-quiet">{text}</span>;

const column = columnsOf<WebhookRow>();

const nameColumn = column.name("name", "Name", ({ name }) => name, { width: "12%", className: "mono" });

const ownerColumn = column.text("tenant", "Owner", ({ tenant }) => tenant, {
  width: 104,
  from: "medium",
  none: quiet("the provider"),
});

const factColumns = [
  column.text("url", "Address", ({ url }) => url, { narrow: "line", className: "mono" }),
  column.text("kinds", "Events", ({ kinds }) => formatKinds(kinds), { width: "14%", from: "wide" }),
  column.cell(
    "state",
    "State",
    (webhook) => {
      const { tone, words } = webhookStatus(webhook);
      return <StateLabel tone={tone} path={words} live={false} />;
    },
    { width: 136, narrow: "top-end" },
  ),
  column.text("answer", "Last answer", lastAnswerOf, {
    width: "16%",
    narrow: "line",
    none: quiet("nothing sent yet"),
  }),
  column.cell("waiting", "Waiting", ({ waiting }) => (waiting === 0 ? quiet("none") : waiting), {
    width: 72,
    align: "end",
  }),
];

interface WebhooksTableProps {
  readonly webhooks: readonly WebhookRow[];
  /** The provider's list includes webhooks of tenants. */
  readonly ofProvider: boolean;
  readonly whyNot: string | undefined;
  readonly onOpen: (webhook: WebhookRow) => void;
  readonly ask: (act: WebhookAct) => void;
  readonly empty: ReactNode;
}

const columnsFor = ({
  ofProvider,
  whyNot,
  onOpen,
  ask,
}: Omit<WebhooksTableProps, "webhooks" | "empty">): readonly TableColumn<WebhookRow>[] => [
  nameColumn,
  ...(ofProvider ? [ownerColumn] : []),
  ...factColumns,
  column.acts(168, (webhook) => (
    <span className="row-acts">
      <Button small aria-label={`Deliveries of ${webhook.name}`} onClick={() => onOpen(webhook)}>
        Deliveries
      </Button>
      <WebhookActs webhook={webhook} whyNot={whyNot} ask={ask} />
    </span>
  )),
];

export const WebhooksTable = ({ webhooks, empty, ...rest }: WebhooksTableProps) => (
  <DataTable
    caption="Webhooks"
    columns={columnsFor(rest)}
    rows={webhooks}
    rowId={({ id }) => id}
    empty={empty}
  />
);

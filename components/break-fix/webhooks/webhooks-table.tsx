// The webhooks table: name, URL, status, pending events.
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { StateLabel } from "@/components/ui/state-label";
import { actsColumn } from "@/components/ui/table/acts-column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { WebhookRow } from "@/server/surfaces/trpc/types";
import { WebhookActs, type WebhookAct } from "@/components/break-fix/webhooks/webhook-act";
import { formatKinds, lastAnswerOf, webhookStatus } from "@/components/break-fix/webhooks/webhook-text";

const quiet = (text: string) => <span className="text-quiet">{text}</span>;

const nameColumn: TableColumn<WebhookRow> = {
  id: "name",
  label: "Name",
  width: "12%",
  narrow: "top-start",
  rowHeader: true,
  className: "mono",
  cell: ({ name }) => name,
};

const ownerColumn: TableColumn<WebhookRow> = {
  id: "tenant",
  label: "Owner",
  width: 104,
  from: "medium",
  cell: ({ tenant }) => tenant ?? quiet("the provider"),
};

const factColumns: readonly TableColumn<WebhookRow>[] = [
  {
    id: "url",
    label: "Address",
    narrow: "line",
    className: "mono",
    title: ({ url }) => url,
    cell: ({ url }) => url,
  },
  {
    id: "kinds",
    label: "Events",
    width: "14%",
    from: "wide",
    title: ({ kinds }) => formatKinds(kinds),
    cell: ({ kinds }) => formatKinds(kinds),
  },
  {
    id: "state",
    label: "State",
    width: 136,
    narrow: "top-end",
    cell: (webhook) => {
      const { tone, words } = webhookStatus(webhook);
      return <StateLabel tone={tone} path={words} live={false} />;
    },
  },
  {
    id: "answer",
    label: "Last answer",
    width: "16%",
    narrow: "line",
    title: lastAnswerOf,
    cell: (webhook) => lastAnswerOf(webhook) ?? quiet("nothing sent yet"),
  },
  {
    id: "waiting",
    label: "Waiting",
    width: 72,
    align: "end",
    cell: ({ waiting }) => (waiting === 0 ? quiet("none") : waiting),
  },
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

const columnsOf = ({
  ofProvider,
  whyNot,
  onOpen,
  ask,
}: Omit<WebhooksTableProps, "webhooks" | "empty">): readonly TableColumn<WebhookRow>[] => [
  nameColumn,
  ...(ofProvider ? [ownerColumn] : []),
  ...factColumns,
  actsColumn(168, (webhook) => (
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
    columns={columnsOf(rest)}
    rows={webhooks}
    rowId={({ id }) => id}
    empty={empty}
  />
);

"use client";
// Webhooks: where events are sent, whether receivers accept them, and what is pending (docs/repair.md#webhooks). A tenant sees its own.
import { useSuspenseQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { SecretOnce } from "@/components/ui/dialogs/secret-once";
import { useMe } from "@/components/frame/me";
import { SettingsHead } from "@/components/sites/settings-head";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/server/domain/numbers";
import { Notice } from "@/components/ui/notice";
import { reachOf } from "@/server/domain/access/access";
import { Deliveries } from "@/components/break-fix/webhooks/deliveries";
import { z } from "zod";
import { ActDialog, ActFormDialog, type Client } from "@/components/ui/dialogs/act-dialog";
import { Check } from "@/components/ui/form/controls";
import { type EventKind, eventKinds, providerKinds } from "@/server/domain/break-fix/event-kinds";
import { StateLabel } from "@/components/ui/state-label";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { allRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import type { WebhookRow } from "@/server/surfaces/trpc/types";
import { formatKinds, lastAnswerOf, webhookStatus } from "@/components/break-fix/webhooks/webhook-text";
import { Menu, MenuAct } from "@/components/ui/menu";
import { Time } from "@/components/ui/time/time";

// Acts on a webhook: send a test event, resume, skip an event, remove. Each states its consequence first.
const kinds = ["test", "resume", "skip", "remove"] as const;
type Kind = (typeof kinds)[number];

/** The open dialog's act, and its webhook. */
interface WebhookAct {
  readonly kind: Kind;
  readonly webhook: WebhookRow;
}

interface ActText {
  readonly menu: string;
  readonly title: (name: string) => string;
  readonly consequence: (webhook: WebhookRow) => ReactNode;
  readonly confirm: string;
  readonly said: (name: string) => string;
}

const waitingText = ({ waiting }: WebhookRow) => formatCounted(waiting, "event");

const actText: Record<Kind, ActText> = {
  test: {
    menu: "Send a test event…",
    title: (name) => `Send a test event to ${name}?`,
    consequence: (webhook) =>
      webhook.waiting === 0
        ? `It is sent to ${webhook.url}.`
        : `It is sent to ${webhook.url} after ${waitingText(webhook)} already queued.`,
    confirm: "Send test event",
    said: (name) => `A test event for ${name} is queued.`,
  },
  resume: {
    menu: "Resume…",
    title: (name) => `Resume the webhook ${name}?`,
    consequence: (webhook) =>
      `It is switched on again if it was off. Pending events (${waitingText(webhook)}) are sent now, in order.`,
    confirm: "Resume webhook",
    said: (name) => `${name}: pending events are being sent.`,
  },
  skip: {
    menu: "Skip the next event…",
    title: (name) => `Skip the next event of ${name}?`,
    consequence: ({ next }) => (
      <>
        <span className="mono">{next?.kind}</span>
        {next === null ? null : (
          <>
            {" of "}
            <Time at={next.createdAt} />
          </>
        )}{" "}
        is never sent; the events after it are. This cannot be undone.
      </>
    ),
    confirm: "Skip event",
    said: (name) => `${name}: event skipped.`,
  },
  remove: {
    menu: "Remove…",
    title: (name) => `Remove the webhook ${name}?`,
    consequence: (webhook) =>
      `${webhook.waiting === 0 ? "" : `Pending events (${waitingText(webhook)}) are not sent. `}Its secret and its deliveries are deleted. This cannot be undone.`,
    confirm: "Remove webhook",
    said: (name) => `The webhook ${name} is removed.`,
  },
};

interface WebhookActsProps {
  readonly webhook: WebhookRow;
  /** Why this user may not change webhooks. */
  readonly whyNot: string | undefined;
  readonly ask: (act: WebhookAct) => void;
}

const whyNotNow = (kind: Kind, { next, disabledAt, failingSince }: WebhookRow): string | undefined => {
  if (kind === "skip" && next === null) return "No pending events";
  const stands = disabledAt === null && failingSince === null;
  return kind === "resume" && stands ? "Already on" : undefined;
};

function WebhookActs({ webhook, whyNot, ask }: WebhookActsProps) {
  return (
    <Menu
      trigger={
        <button type="button" className="btn small" aria-label={`More acts on ${webhook.name}`}>
          More
        </button>
      }
    >
      {kinds.map((kind) => (
        <MenuAct
          key={kind}
          onSelect={() => ask({ kind, webhook })}
          disabledReason={whyNot ?? whyNotNow(kind, webhook)}
        >
          {actText[kind].menu}
        </MenuAct>
      ))}
    </Menu>
  );
}

/** Skips exactly the event that was shown. */
const sendAct = (client: Client, { kind, webhook: { id, next } }: WebhookAct): Promise<unknown> =>
  kind === "skip"
    ? client.webhooks.skip.mutate({ id, deliveryId: next?.id ?? "" })
    : client.webhooks[kind].mutate({ id });

interface WebhookActDialogProps {
  readonly act: WebhookAct;
  readonly onClose: () => void;
}

function WebhookActDialog({ act, onClose }: WebhookActDialogProps) {
  const { kind, webhook } = act;
  const { title, consequence, confirm, said } = actText[kind];
  return (
    <ActDialog
      title={title(webhook.name)}
      consequence={<p>{consequence(webhook)}</p>}
      confirmWords={confirm}
      send={(_, client) => sendAct(client, act)}
      said={said(webhook.name)}
      stale={(trpc) => [trpc.webhooks]}
      onClose={onClose}
    />
  );
}

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
    { width: 136, narrow: "top-end", sort: (webhook) => webhookStatus(webhook).words },
  ),
  column.text("answer", "Last answer", lastAnswerOf, {
    width: "16%",
    narrow: "line",
    none: quiet("nothing sent yet"),
  }),
  column.cell("waiting", "Waiting", ({ waiting }) => (waiting === 0 ? quiet("none") : waiting), {
    width: 72,
    align: "end",
    firstOrder: "descending",
    sort: ({ waiting }) => waiting,
  }),
];

interface Shown {
  /** The provider's list includes webhooks of tenants. */
  readonly ofProvider: boolean;
  readonly whyNot: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly ask: (act: WebhookAct) => void;
}

const columnsFor = ({ ofProvider, whyNot, onOpen, ask }: Shown): readonly TableColumn<WebhookRow>[] => [
  nameColumn,
  ...(ofProvider ? [ownerColumn] : []),
  ...factColumns,
  column.acts(168, (webhook) => (
    <span className="row-acts">
      <Button small aria-label={`Deliveries of ${webhook.name}`} onClick={() => onOpen(webhook.id)}>
        Deliveries
      </Button>
      <WebhookActs webhook={webhook} whyNot={whyNot} ask={ask} />
    </span>
  )),
];

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const schema = z.object({
  name: z.string().trim().min(1, "Enter a name").max(64, "At most 64 characters"),
  url: z.string().trim().min(1, "Enter an address").refine(isAddress, "Must be an https:// address"),
  kinds: z.array(z.enum(eventKinds)).min(1, "Select an event"),
});

/** Selecting all kinds is sent as an empty list, so that kinds added in later versions are included. */
const askedKinds = (kinds: readonly EventKind[], all: readonly EventKind[]): EventKind[] =>
  kinds.length === all.length ? [] : all.filter((kind) => kinds.includes(kind));

interface KindsProps {
  readonly all: readonly EventKind[];
  readonly chosen: readonly EventKind[];
  readonly onChange: (kinds: EventKind[]) => void;
}

const Kinds = ({ all, chosen, onChange }: KindsProps) => (
  <fieldset className="field wide">
    <legend className="text-medium">Events</legend>
    <div className="picks">
      {all.map((kind) => (
        <Check
          key={kind}
          checked={chosen.includes(kind)}
          onChange={(checked) =>
            onChange(checked ? [...chosen, kind] : chosen.filter((other) => other !== kind))
          }
          mono
        >
          {kind}
        </Check>
      ))}
    </div>
  </fieldset>
);

interface AddWebhookDialogProps {
  readonly onAdded: (shown: { readonly name: string; readonly secret: string }) => void;
  readonly onClose: () => void;
}

/** Adds a webhook. Its secret is passed to the caller, which shows it once. */
function AddWebhookDialog({ onAdded, onClose }: AddWebhookDialogProps) {
  const { tenant } = useMe();
  /** Those that this person's webhooks can receive. */
  const all = tenant === null ? eventKinds : eventKinds.filter((kind) => !providerKinds.has(kind));
  return (
    <ActFormDialog
      title="Add a webhook"
      consequence={`It gets events from now on: ${
        tenant === null ? "of all tenants and hosts" : `those of ${tenant.name}`
      }. The receiver verifies them with a secret, which is shown once.`}
      confirmWords="Add webhook"
      schema={schema}
      values={{ name: "", url: "", kinds: [...all] }}
      fields={({ kinds }, set) => ({
        name: { label: "Name", mono: true },
        url: { label: "Address", mono: true, placeholder: "https://hooks.example.com/reclaim" },
        kinds: <Kinds all={all} chosen={kinds} onChange={(next) => set("kinds", next)} />,
      })}
      send={async ({ name, url, kinds }, client) => {
        const { secret } = await client.webhooks.create.mutate({ name, url, kinds: askedKinds(kinds, all) });
        onAdded({ name, secret });
      }}
      said={(_, { name }) => `The webhook ${name} is added.`}
      stale={(trpc) => [trpc.webhooks]}
      onClose={onClose}
    />
  );
}

const everyMs = 5_000;

/** For the provider the page is part of the settings; a tenant has no other settings. */
function Head({ what, acts }: { what: string; acts: ReactNode }) {
  const { tenant } = useMe();
  if (tenant === null) return <SettingsHead what={what} acts={acts} />;
  return (
    <div className="head">
      <h1>Webhooks</h1>
      <span className="what">
        of {tenant.name}, {what}
      </span>
      <div className="acts">{acts}</div>
    </div>
  );
}

export function WebhooksPage() {
  const trpc = useTRPC();
  const { role, tenant } = useMe();
  const { data: webhooks } = useSuspenseQuery({
    ...trpc.webhooks.list.queryOptions(),
    refetchInterval: everyMs,
  });
  const [asked, setAsked] = useState<WebhookAct | "add">();
  const [secret, setSecret] = useState<{ readonly name: string; readonly secret: string }>();
  const [openId, setOpenId] = useState<string>();
  const whyNot =
    reachOf(role, "webhook.write") === "none"
      ? "Only admins of the provider or a tenant can change webhooks"
      : undefined;
  const open = webhooks.find(({ id }) => id === openId);
  const close = () => setAsked(undefined);
  const ofProvider = tenant === null;
  const columns = useMemo(
    () => columnsFor({ ofProvider, whyNot, onOpen: setOpenId, ask: setAsked }),
    [ofProvider, whyNot],
  );
  return (
    <>
      <Head
        what={formatCounted(webhooks.length, "webhook")}
        acts={
          <Button small disabledReason={whyNot} onClick={() => setAsked("add")}>
            Add a webhook…
          </Button>
        }
      />
      <SwitchedOff webhooks={webhooks} />
      <ResourceTable
        name="webhooks"
        noun="webhook"
        caption="Webhooks"
        list={allRows(webhooks)}
        columns={columns}
        rowId={({ id }) => id}
        namesOf={({ name }) => [name]}
        empty={
          <Empty title="No webhook">
            A webhook is an address to which tickets, notices and changes of capacity are sent as they happen.
            It gets a secret of its own when it is added.
          </Empty>
        }
      />
      {open === undefined ? null : <Deliveries webhook={open} onClose={() => setOpenId(undefined)} />}
      {asked === undefined ? null : asked === "add" ? (
        <AddWebhookDialog onAdded={setSecret} onClose={close} />
      ) : (
        <WebhookActDialog act={asked} onClose={close} />
      )}
      {secret === undefined ? null : (
        <SecretOnce
          title={`Secret of ${secret.name}`}
          what={`the secret of the webhook ${secret.name}`}
          secret={secret.secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}

interface SwitchedOffProps {
  readonly webhooks: readonly {
    readonly id: string;
    readonly name: string;
    readonly disabledReason: string | null;
  }[];
}

/** Why a webhook was disabled, and how to resume it. */
function SwitchedOff({ webhooks }: SwitchedOffProps) {
  return webhooks.map(({ id, name, disabledReason }) =>
    disabledReason === null ? null : (
      <Notice key={id} tone="attention">
        <strong>{name} is switched off</strong>: {disabledReason} <i>More → Resume</i> sends pending events.
      </Notice>
    ),
  );
}

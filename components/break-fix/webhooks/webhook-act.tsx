"use client";
// Acts on a webhook: send a test event, resume, skip an event, remove. Each states its consequence first.
import type { ReactNode } from "react";
import { ActDialog, type Client } from "@/components/ui/dialogs/act-dialog";
import { formatCounted } from "@/components/ui/format/numbers";
import { Menu, MenuAct } from "@/components/ui/menu";
import { Time } from "@/components/ui/time/time";
import type { WebhookRow } from "@/server/surfaces/trpc/types";

const kinds = ["test", "resume", "skip", "remove"] as const;
type Kind = (typeof kinds)[number];

/** The open dialog's act, and its webhook. */
export interface WebhookAct {
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

export function WebhookActs({ webhook, whyNot, ask }: WebhookActsProps) {
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

export function WebhookActDialog({ act, onClose }: WebhookActDialogProps) {
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

"use client";
// Webhooks: where events are sent, whether receivers accept them, and what is pending (docs/repair.md#webhooks). A tenant sees its own.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { SecretOnce } from "@/components/ui/dialogs/secret-once";
import { useMe } from "@/components/frame/me";
import { SettingsHead } from "@/components/sites/settings-head";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/components/ui/format/numbers";
import { Notice } from "@/components/ui/notice";
import { reachOf } from "@/server/domain/access/access";
import { AddWebhookDialog } from "@/components/break-fix/webhooks/add-webhook";
import { Deliveries } from "@/components/break-fix/webhooks/deliveries";
import { WebhookActDialog, type WebhookAct } from "@/components/break-fix/webhooks/webhook-act";
import { WebhooksTable } from "@/components/break-fix/webhooks/webhooks-table";

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

const NoWebhook = () => (
  <Empty title="No webhook">
    A webhook is an address to which tickets, notices and changes of capacity are sent as they happen. It gets
    a secret of its own when it is added.
  </Empty>
);

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
      <WebhooksTable
        webhooks={webhooks}
        ofProvider={tenant === null}
        whyNot={whyNot}
        onOpen={({ id }) => setOpenId(id)}
        ask={setAsked}
        empty={<NoWebhook />}
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

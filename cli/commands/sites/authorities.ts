// `reclaim site authorities`: the certificate authorities in a site's document, one line per certificate.
import type { Command } from "commander";
import type { SiteView } from "@/server/surfaces/trpc/types";
import { formatFingerprint } from "@/server/domain/hardware/certificate";
import { findSite } from "@/cli/find";
import type { Column } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const expiryText = { expired: "expired", soon: "renew", later: "valid" } as const;

const columns: readonly Column<SiteView["authorities"][number]>[] = [
  { name: "name", value: ({ name }) => name },
  { name: "used for", value: ({ usedFor }) => usedFor.join(", ") },
  { name: "subject", value: ({ subject }) => subject },
  { name: "valid until", value: ({ validTo }) => validTo.slice(0, 10) },
  { name: "state", value: ({ expiry }) => expiryText[expiry], whole: true },
  { name: "sha256", value: ({ sha256 }) => formatFingerprint(sha256) },
];

export function addAuthorities(site: Command, surroundings: Surroundings): void {
  site
    .command("authorities")
    .description("the certificate authorities of a site, those that expire first at the top")
    .argument("[site]", "which one, if there are several")
    .action(async (text: string | undefined, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { name } = await findSite(client, text);
      const { authorities, document } = await client.site.get.query({ site: name });
      printer.list(
        authorities,
        columns,
        `Site ${name} has no authorities of its own: those of the server's system are trusted (bmcTrust: ${document.bmcTrust}).`,
      );
    });
}

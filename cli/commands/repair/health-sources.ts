// `reclaim health-sources`: who may report health over HTTP (docs/repair.md#sources).
import type { HealthSource } from "@/server/surfaces/trpc/types";
import { act, list } from "@/cli/define/command";
import { arg, opt, parsed } from "@/cli/define/values";
import { readCount } from "@/cli/options";
import type { Column } from "@/cli/output/printer";

const columns: readonly Column<HealthSource>[] = [
  { name: "name", value: (row) => row.name, whole: true },
  { name: "site", value: (row) => row.site, text: (row) => row.site ?? "every site" },
  {
    name: "heartbeat",
    value: (row) => row.heartbeatSeconds,
    text: (row) => (row.heartbeatSeconds === null ? "" : `${row.heartbeatSeconds} s`),
  },
  { name: "hosts", value: (row) => row.hosts },
  { name: "silent", value: (row) => row.silent },
  { name: "used", value: (row) => row.lastUsedAt },
  { name: "created by", value: (row) => row.createdBy },
];

const name = arg("<name>", "the source's name");
const secret = ({ token }: { readonly token: string }, { name: source }: { readonly name: string }) =>
  [token, `The token of ${source}, shown this once.`] as const;

export const healthSources = [
  list("health-sources list", { of: "health.sources", columns, none: "No health sources." }),
  act("health-sources add", {
    of: "health.addSource",
    args: { name },
    options: {
      site: opt("<name>", "only hosts of this site"),
      heartbeat: parsed(
        "<seconds>",
        "how often it reports on each host; if it stops, the host gets an alert",
        readCount,
      ),
    },
    input: ({ name: source, site, heartbeat }) => ({
      name: source,
      site: site ?? null,
      heartbeatSeconds: heartbeat ?? null,
    }),
    secret,
  }),
  act("health-sources replace-token", {
    of: "health.replaceToken",
    args: { name },
    asks: ({ name: source }) => [
      ["Its current token stops working at once."],
      `Replace the token of ${source}?`,
    ],
    secret,
  }),
  act("health-sources remove", {
    of: "health.removeSource",
    args: { name },
    asks: ({ name: source }) => [
      ["Its token stops working at once. Its reports stay until they are removed."],
      `Remove the source ${source}?`,
    ],
    said: ({ name: source }) => `The source ${source} is removed.`,
  }),
];

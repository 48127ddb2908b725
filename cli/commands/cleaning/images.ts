// `reclaim images`: agent images and their rollout: list, add, widen, make-current, withdraw.
import { formatCounted } from "@/server/domain/numbers";
import { InvalidArgumentError } from "commander";
import { z } from "zod";
import { contract } from "@/server/contract/contract";
import { list as listOf, record } from "@/server/contract/define";
import type { Rollout } from "@/server/domain/cleaning/images/image-rollout";
import type { ImagesPage, SiteImages } from "@/server/surfaces/trpc/types";
import { act, derived } from "@/cli/define/command";
import { arg, flag, found, needed, opt, parsed, reason, siteOr } from "@/cli/define/values";
import { pick } from "@/cli/find";
import { readCount } from "@/cli/options";
import type { Column } from "@/cli/output/printer";

type Line = SiteImages["past"][number];
interface ImageRow {
  readonly site: string;
  readonly image: Line;
  /** Results so far, for an image in use. */
  readonly use: { readonly given: number; readonly cameUp: number; readonly failed: number } | null;
  readonly says: string | null;
}

const formatRollout = (rollout: Rollout): string => {
  switch (rollout.stage) {
    case "few":
      return formatCounted(rollout.hosts, "host");
    case "share":
      return `${rollout.percent} %`;
    case "all":
      return "all";
  }
};

const columns: readonly Column<ImageRow>[] = [
  { name: "site", value: (row) => row.site },
  { name: "version", value: (row) => row.image.version, whole: true },
  { name: "status", value: (row) => row.image.status, whole: true },
  { name: "rollout", value: (row) => formatRollout(row.image.rollout) },
  { name: "given", value: (row) => row.use?.given ?? null },
  { name: "came up", value: (row) => row.use?.cameUp ?? null },
  { name: "failed", value: (row) => row.use?.failed ?? null },
  { name: "changed", value: (row) => row.image.changedAt },
  { name: "by", value: (row) => row.image.changedBy },
  { name: "url", value: (row) => row.image.url, extra: true },
  { name: "id", value: (row) => row.image.id, extra: true },
  { name: "message", value: (row) => row.says, long: true },
];

const rowsOf = ({ sites }: ImagesPage): readonly ImageRow[] =>
  sites.flatMap(({ site, current, candidate, past }) => [
    ...(candidate === null
      ? []
      : [{ site, image: candidate, use: candidate.use, says: candidate.braked ?? candidate.currentRefusal }]),
    ...(current === null ? [] : [{ site, image: current, use: current.use, says: null }]),
    ...past.map((image) => ({ site, image, use: null, says: null })),
  ]);

function readRollout(text: string): Rollout {
  if (text === "all") return { stage: "all" };
  const [, number = "", unit] = /^(\d{1,3})( ?%)?$/.exec(text) ?? [];
  if (number === "")
    throw new InvalidArgumentError("It takes a number of hosts, a percentage such as 10%, or all.");
  return unit === undefined
    ? { stage: "few", hosts: Number(number) }
    : { stage: "share", percent: Number(number) };
}

const image = found(arg("<image>", "version or id"), async ({ client }, text) =>
  pick(
    "agent image",
    text,
    rowsOf(await client.images.list.query()).map(({ image: each }) => ({ id: each.id, name: each.version })),
  ),
);

const site = contract.images.list.output.unwrap().shape.sites.unwrap().element.unwrap().shape;
const shape = listOf(
  record({
    site: z.string(),
    image: z.union([site.past.unwrap().element, site.candidate.unwrap(), site.current.unwrap()]),
    use: site.current.unwrap().unwrap().shape.use.nullable(),
    says: z.string().nullable(),
  }),
);

export const images = [
  derived("images list", {
    of: "images.list",
    rows: rowsOf,
    shape,
    columns,
    none: ({ first }) => `All sites boot the configured image ${first.configuredUrl}.`,
  }),
  act("images add", {
    of: "images.add",
    args: { version: arg("<version>", "such as 2.4.1") },
    options: {
      from: needed(opt("<url>", "URL of its folder")),
      site: siteOr("required if there are several"),
      sha256: opt("<digest>", "SHA-256 of its initrd.img"),
      signed: flag("hosts check its signatures before they start it"),
      hosts: needed(parsed("<count>", "size of the first rollout", readCount)),
    },
    input: ({ version, from: url, site: { id: siteId }, sha256 = null, signed, hosts }) => ({
      ...{ siteId, version, url, sha256, hosts },
      signed: signed === true,
    }),
    said: ({ version }) => `Agent image ${version} added.`,
    examples: ["images add 2.4.1 --from https://images.example/2.4.1 --hosts 3"],
  }),
  act("images widen", {
    of: "images.widen",
    args: { image },
    options: {
      to: needed(parsed("<rollout>", "a number of hosts, a percentage such as 10%, or all", readRollout)),
    },
    input: ({ image: { id: imageId }, to: rollout }) => ({ imageId, rollout }),
    said: ({ image: { name }, to }) => `Agent image ${name} goes to ${formatRollout(to)}.`,
  }),
  act("images make-current", {
    of: "images.makeCurrent",
    args: { image },
    input: ({ image: { id: imageId } }) => ({ imageId }),
    asks: ({ image: { name } }) => [
      ["Every host of the site boots it from now on."],
      `Make current: ${name}?`,
    ],
    said: ({ image: { name } }) => `Agent image ${name}: done.`,
  }),
  act("images withdraw", {
    of: "images.withdraw",
    args: { image },
    options: { reason },
    input: ({ image: { id: imageId }, reason: why }) => ({ imageId, reason: why }),
    asks: ({ image: { name } }) => [["Hosts boot the current image again."], `Withdraw ${name}?`],
    said: ({ image: { name } }) => `Agent image ${name}: done.`,
  }),
];

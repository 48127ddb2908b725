// `reclaim images`: agent images and their rollout: list, add, widen, make-current, withdraw.
import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { Rollout } from "@/server/domain/cleaning/images/image-rollout";
import type { ImagesPage, SiteImages } from "@/server/surfaces/trpc/types";
import type { Client } from "@/cli/client";
import { findSite, pick } from "@/cli/find";
import { readCount } from "@/cli/options";
import type { Column } from "@/cli/output/printer";
import { confirm, openShell } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

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
      return `${rollout.hosts} hosts`;
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

/** Finds an image by version or id. */
async function findImage(client: Client, text: string): Promise<Line> {
  const images = rowsOf(await client.images.list.query()).map(({ image }) => image);
  return pick(
    "agent image",
    text,
    images.map((image) => ({ id: image.id, name: image.version, image })),
  ).image;
}

function readRollout(text: string): Rollout {
  if (text === "all") return { stage: "all" };
  const [, number = "", unit] = /^(\d{1,3})( ?%)?$/.exec(text) ?? [];
  if (number === "")
    throw new InvalidArgumentError("It takes a number of hosts, a percentage such as 10%, or all.");
  return unit === undefined
    ? { stage: "few", hosts: Number(number) }
    : { stage: "share", percent: Number(number) };
}

interface AddAsked {
  readonly site?: string;
  readonly from: string;
  readonly sha256?: string;
  readonly signed?: boolean;
  readonly hosts: number;
}

function addRollout(images: Command, surroundings: Surroundings): void {
  images
    .command("add")
    .description(contract.images.add.title)
    .argument("<version>", "such as 2.4.1")
    .requiredOption("--from <url>", "URL of its folder")
    .option("--site <site>", "required if there are several")
    .option("--sha256 <digest>", "of its initrd.img")
    .option("--signed", "hosts check its signatures before they start it")
    .requiredOption("--hosts <count>", "size of the first rollout", readCount)
    .action(async (version: string, asked: AddAsked, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { id: siteId } = await findSite(client, asked.site);
      const { from: url, hosts, sha256 = null, signed = false } = asked;
      await client.images.add.mutate({ siteId, version, url, sha256, signed, hosts });
      printer.say(`Agent image ${version} added.`);
    });
  images
    .command("widen")
    .description(contract.images.widen.title)
    .argument("<image>", "version or id")
    .requiredOption("--to <rollout>", "a number of hosts, a percentage such as 10%, or all", readRollout)
    .action(async (text: string, { to }: { to: Rollout }, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { id, version } = await findImage(client, text);
      await client.images.widen.mutate({ imageId: id, rollout: to });
      printer.say(`Agent image ${version} goes to ${formatRollout(to)}.`);
    });
}

async function askAndDo(
  shell: Shell,
  text: string,
  { verb, consequence }: { readonly verb: string; readonly consequence: string },
  perform: (imageId: string) => Promise<unknown>,
): Promise<void> {
  const { id, version } = await findImage(shell.client, text);
  await confirm(shell, [consequence], `${verb} ${version}?`);
  await perform(id);
  shell.printer.say(`Agent image ${version}: done.`);
}

/** `reclaim images` with its commands. */
export function addImages(program: Command, surroundings: Surroundings): void {
  const images = program
    .command("images")
    .description("agent images: list, add, widen, make-current, withdraw");
  images
    .command("list")
    .alias("ls")
    .description(contract.images.list.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const page = await client.images.list.query();
      printer.list(rowsOf(page), columns, `All sites boot the configured image ${page.configuredUrl}.`);
    });
  addRollout(images, surroundings);
  images
    .command("make-current")
    .description(contract.images.makeCurrent.title)
    .argument("<image>", "version or id")
    .action(async (text: string, _options: object, command: Command) => {
      const shell = await openShell(command, surroundings);
      const words = { verb: "Make current:", consequence: "Every host of the site boots it from now on." };
      await askAndDo(shell, text, words, (imageId) => shell.client.images.makeCurrent.mutate({ imageId }));
    });
  images
    .command("withdraw")
    .description(contract.images.withdraw.title)
    .argument("<image>", "version or id")
    .requiredOption("--reason <text>", "why")
    .action(async (text: string, { reason }: { reason: string }, command: Command) => {
      const shell = await openShell(command, surroundings);
      const words = { verb: "Withdraw", consequence: "Hosts boot the current image again." };
      await askAndDo(shell, text, words, (imageId) =>
        shell.client.images.withdraw.mutate({ imageId, reason }),
      );
    });
}

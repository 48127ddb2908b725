// Files that a site added to the image in one folder, each with what it defines or why it cannot be read.
import { createHash } from "node:crypto";
import type { z } from "zod";
import { clip } from "@/agent/steps/results";
import type { Files } from "@/agent/tools/machine/program/files";
import { formatIssue } from "@/server/domain/schema-text";

export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

const maxFiles = 256;
const maxBytes = 64 * 1024;

/** How one file of a folder is read. */
export interface Kind<Value> {
  readonly folder: string;
  /** Pure. */
  readonly read: (text: string) => Read<Value>;
  /** The program that it runs, by its full path. */
  readonly programOf: (value: Value) => string;
  /** What two files must not both define, such as `the step vendor.check`. */
  readonly nameOf: (value: Value) => string;
}

export interface Fault {
  readonly file: string;
  readonly message: string;
}

export interface SiteFolder<Value> {
  readonly values: readonly Value[];
  readonly faults: readonly Fault[];
  /** Changes whenever any file changes. */
  readonly version: string;
}

interface Found<Value> {
  readonly name: string;
  readonly content: Uint8Array;
  readonly read: Read<Value>;
}

const wrong = (problem: string) => ({ ok: false, problem }) as const;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a file defines, or what is wrong with it, in words. Pure. */
export function readJson<Value>(text: string, schema: z.ZodType<Value>): Read<Value> {
  const raw = parsed(text);
  if (raw === undefined) return wrong("is no JSON");
  const { data, error } = schema.safeParse(raw, { error: formatIssue });
  return data !== undefined
    ? { ok: true, value: data }
    : wrong(
        (error?.issues ?? [])
          .map(({ path, message }) => [path.join("."), message].join(" ").trim())
          .join("; "),
      );
}

async function find<Value>(files: Files, kind: Kind<Value>, name: string): Promise<Found<Value>> {
  const content = await files.read(`${kind.folder}/${name}`);
  if (content === null) return { name, content: new Uint8Array(), read: wrong("cannot be read") };
  if (!name.endsWith(".json")) return { name, content, read: wrong("is no .json file") };
  if (content.length > maxBytes) return { name, content, read: wrong("is longer than 64 KiB") };
  const read = kind.read(Buffer.from(content).toString("utf8"));
  if (!read.ok) return { name, content, read };
  const program = kind.programOf(read.value);
  return (await files.real(program)) === null
    ? { name, content, read: wrong(`the image has no ${program}`) }
    : { name, content, read };
}

/** If several files define the same thing, none of them counts: it is not known which one is meant. */
function withoutDoubles<Value>(found: readonly Found<Value>[], nameOf: Kind<Value>["nameOf"]) {
  const named = found.map((file) => (file.read.ok ? nameOf(file.read.value) : null));
  return found.map((file, place): Found<Value> => {
    const name = named[place];
    const other = found.find((_, at) => at !== place && name !== null && named[at] === name);
    return other === undefined ? file : { ...file, read: wrong(`${other.name} has ${name} as well`) };
  });
}

function versionOf(found: readonly Found<unknown>[]): string {
  const hash = createHash("sha256");
  for (const { name, content } of found) hash.update(`${name}\0${content.length}\0`).update(content);
  return hash.digest("hex").slice(0, 12);
}

const fault = (file: string, message: string): Fault => ({
  file: clip(file, 256),
  message: clip(message, 1_000),
});

/** Null if the image has no such folder. Never rejects: an agent that cannot read the folder still reports that. */
export async function readSiteFolder<Value>(
  files: Files,
  kind: Kind<Value>,
): Promise<SiteFolder<Value> | null> {
  const { folder } = kind;
  if ((await files.real(folder)) === null) return null;
  const listed = await files.list(folder);
  const names = (listed ?? []).slice(0, maxFiles);
  const found = withoutDoubles(await Promise.all(names.map((name) => find(files, kind, name))), kind.nameOf);
  const faults = [
    ...(listed === null ? [fault(folder, "cannot be read")] : []),
    ...((listed ?? []).length > maxFiles ? [fault(folder, "has more than 256 files")] : []),
    ...found.flatMap(({ name, read }) => (read.ok ? [] : [fault(`${folder}/${name}`, read.problem)])),
  ];
  return {
    values: found.flatMap(({ read }) => (read.ok ? [read.value] : [])),
    faults: faults.slice(0, maxFiles),
    version: versionOf(found),
  };
}

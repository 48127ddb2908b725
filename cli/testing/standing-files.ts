// Every response of the console besides its pages, as text: files, signed files with their PDF, packs, the live stream (cli/standing-walk.itest.ts).
import { pagesOf } from "@/server/domain/assurance/certificates/pdf/pages";
import { openBundle } from "@/server/domain/assurance/certificates/verify";
import { maxBytesOf } from "@/server/domain/assurance/proof/pack/layout";
import { readMembers } from "@/server/domain/assurance/proof/pack/tar";
import { createConsoleServer } from "@/server/surfaces/console/console-server";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

type Responses = ReturnType<typeof createConsoleServer>["responses"];

/** What one response said, and where. */
export interface Told {
  readonly where: string;
  readonly text: string;
}

interface Given {
  readonly token: string;
  readonly certificates: readonly string[];
  /** A run on all hosts. */
  readonly bulkId: string;
  /** Signs what the log does not have yet: a pack waits for it. */
  readonly sign: () => Promise<unknown>;
  /** Called while the live stream is read. Returns the id of the host that it tells last. */
  readonly change: () => Promise<string>;
}

/** What is signed, and what its PDF says. */
function signedTexts(where: string, bundle: string): readonly Told[] {
  const opened = openBundle(bundle);
  if (!("statement" in opened)) throw new Error(`${where} is no bundle`);
  const { statement } = opened;
  const pages = pagesOf(statement).flatMap(({ title, subtitle, sections }) => [
    title,
    subtitle,
    ...sections.flatMap(({ heading, fields, lines }) => [
      heading,
      ...fields.map(([label, value]) => `${label}: ${value ?? ""}`),
      ...lines,
    ]),
  ]);
  return [
    { where, text: JSON.stringify(statement) },
    ...pages.map((text) => ({ where: `${where} as PDF`, text })),
  ];
}

async function packTexts(where: string, response: Response): Promise<readonly Told[]> {
  if (response.body === null) throw new Error("an empty pack");
  const told: Told[] = [];
  for await (const { name, bytes } of readMembers(response.body, maxBytesOf)) {
    const text = Buffer.from(bytes).toString("utf8");
    if (/certificates\/.*\.json$/.test(name)) told.push(...signedTexts(`${where} ${name}`, text));
    else told.push({ where: `${where} ${name}`, text });
  }
  return told;
}

/** The messages of the stream up to the one that names the host that was changed last. */
async function liveTexts(
  where: string,
  response: Response,
  change: Given["change"],
): Promise<readonly Told[]> {
  if (response.body === null) throw new Error("no stream");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const last = await change();
  let text = "";
  while (!text.includes(last)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended: ${text}`);
    text += value;
  }
  await reader.cancel();
  return text.split("\n\n").map((message) => ({ where, text: message }));
}

/** Null: says nothing of hosts, or is asked elsewhere in the walk. A newly added response needs a line here. */
export async function fileTexts(backend: WebBackend, given: Given): Promise<readonly Told[]> {
  const { responses } = createConsoleServer(backend);
  const asked = (path: string) =>
    new Request(`http://localhost:3000/api/${path}`, { headers: { authorization: `Bearer ${given.token}` } });
  const csv = (make: (request: Request) => Promise<Response>, name: string, queries: readonly string[]) =>
    queries.map((query) => ({ where: `${name}${query}`, answer: () => make(asked(`${name}${query}`)) }));
  const table: Record<
    keyof Responses,
    readonly { readonly where: string; readonly answer: () => Promise<Response> }[] | null
  > = {
    assuranceCsv: csv(responses.assuranceCsv, "assurance.csv", ["?list=exceptions", "?list=ending"]),
    auditCsv: csv(responses.auditCsv, "audit.csv", [""]),
    breakFixCsv: csv(responses.breakFixCsv, "break-fix.csv", [
      ...["?list=tickets", "?list=notices", "?list=capacity"],
    ]),
    bulkCsv: csv(responses.bulkCsv, "bulk.csv", [`?id=${given.bulkId}`]),
    certificate: given.certificates.map((id) => ({
      where: `certificate ${id}`,
      answer: () => responses.certificate(asked(`certificates/${id}`), id),
    })),
    certificatesCsv: csv(responses.certificatesCsv, "certificates.csv", [""]),
    demoDesk: null,
    evidence: null,
    evidenceUpload: null,
    hostsCsv: csv(responses.hostsCsv, "hosts.csv", [""]),
    live: csv(responses.live, "live", [""]),
    // Entries are the events that the audit's reads tell.
    logFile: null,
    openApi: null,
    securityEventsCsv: csv(responses.securityEventsCsv, "security-events.csv", [""]),
    // Is given a file, and says what the command says of it.
    proofCheck: null,
    proofCsv: csv(responses.proofCsv, "proof.csv", [""]),
    proofPack: csv(responses.proofPack, "proof/pack", [""]),
    repairCsv: csv(responses.repairCsv, "repair.csv", [
      ...["?tab=queue", "?tab=held", "?tab=outcomes", "?tab=offenders"],
    ]),
    siteSchema: null,
    trpc: null,
  };
  const told: Told[] = [];
  for (const { where, answer } of Object.values(table).flatMap((lines) => lines ?? [])) {
    const pack = { waits: where.startsWith("proof/pack") };
    const answered = answer().finally(() => {
      pack.waits = false;
    });
    while (pack.waits) await given.sign();
    const response = await answered;
    if (response.status === 403) continue;
    if (response.status !== 200) throw new Error(`${where}: ${response.status} ${await response.text()}`);
    if (where === "live") told.push(...(await liveTexts(where, response, given.change)));
    else if (where.startsWith("proof/pack")) told.push(...(await packTexts(where, response)));
    else if (where.startsWith("certificate ")) told.push(...signedTexts(where, await response.text()));
    else told.push({ where, text: await response.text() });
  }
  return told;
}

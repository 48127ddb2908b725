// What can be enrolled, and what is wrong with the rest, by line and column. Messages never contain a value of the list.
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { anyText } from "@/server/testing/any-text";
import { compareLines, readLine } from "@/server/domain/hosts/enrolment/check-lines";
import type { ReadLine, Surroundings } from "@/server/domain/hosts/enrolment/check-lines";
import { columnNames } from "@/server/domain/hosts/enrolment/host-line";
import { parseHostsCsv } from "@/server/domain/hosts/enrolment/parse-csv";
import { listText } from "@/server/domain/hosts/enrolment/spreadsheet";
import {
  adviceOf,
  enrolmentGoals,
  enrolmentStages,
  intentsOfEnrolment,
  stageOf,
} from "@/server/domain/hosts/enrolment/progress";
import { machineTypeOf } from "@/server/domain/hardware/machine-types";
import { allStates } from "@/server/domain/lifecycle/states";

const head = "name,bmc_address,bmc_username,bmc_password,serial";
const noContext = { credential: {}, secrets: {} };
const nothingKnown: Surroundings = {
  known: {
    ...{ name: new Map(), serial: new Map(), systemUuid: new Map(), bmcAddress: new Map() },
    macs: new Map(),
  },
  skus: new Set(),
  credentialSets: new Set(["racks"]),
};

function read(csv: string, context: Parameters<typeof readLine>[1] = noContext): readonly ReadLine[] {
  const parsed = parseHostsCsv(csv);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.lines.map((line) => readLine(line, context));
}
const faultsOf = (lines: readonly ReadLine[]) => lines.flatMap(({ faults }) => faults);

describe("a CSV file", () => {
  it("is read with its lines, also across line breaks in quotes, with a byte order mark, blank lines and semicolons", () => {
    expect(
      parseHostsCsv(
        `\ufeff${head}\r\n\r\na,10.0.0.1,root,"p,w""1",S1\r\n"b","10.0.0.2",root,"two\r\nlines",S2\r\nc,10.0.0.3,root,x,S3\r\n`,
      ),
    ).toMatchObject({
      ok: true,
      lines: [
        { line: 3, texts: { name: "a", bmcPassword: 'p,w"1' } },
        { line: 4, texts: { name: "b", bmcPassword: "two\nlines" } },
        { line: 6, texts: { name: "c", serial: "S3" } },
      ],
    });
    expect(parseHostsCsv("Name; BMC_Address\na;10.0.0.1\n")).toMatchObject({
      ok: true,
      lines: [{ line: 2, texts: { name: "a", bmcAddress: "10.0.0.1" } }],
    });
  });

  it.each([
    ["", 1, "", /empty/],
    [head, 1, "", /no host/],
    ["name\na\n", 1, "bmc_address", /missing/],
    ["name,bmc_address,colour\na,b,c\n", 1, "column 3", /unknown column; the columns are name, bmc_address/],
    ["name,bmc_address,name\na,b,c\n", 1, "name", /twice/],
    [`${head}\na,"b,c\n`, 2, "", /unclosed quote/],
    [`${head}\na,b"c,,,\n`, 2, "", /quote/],
  ])("%j is refused as a whole", (text, line, column, message) =>
    expect(parseHostsCsv(text)).toEqual({
      ok: false,
      faults: expect.arrayContaining([{ line, column, message: expect.stringMatching(message) }]),
    }),
  );

  it("with more hosts than a list may have is refused, with the line", () =>
    expect(parseHostsCsv(`name,bmc_address\n${"a,b\n".repeat(5_001)}`)).toEqual({
      ok: false,
      faults: [{ line: 5_002, column: "", message: expect.stringContaining("split the file") }],
    }));

  it("never throws, and never tells a cell, whatever it holds", () => {
    fc.assert(
      fc.property(anyText(), fc.stringMatching(/^[a-z]{12}$/), (text, secret) => {
        const parsed = parseHostsCsv(`${head}\n${text}${secret}`);
        const faults = parsed.ok
          ? faultsOf(
              compareLines(
                parsed.lines.map((line) => readLine(line, noContext)),
                nothingKnown,
              ),
            )
          : parsed.faults;
        return !JSON.stringify(faults).includes(secret);
      }),
      { numRuns: inject("draw") === undefined ? 100 : 25 },
    );
  });
});

describe("a list from a spreadsheet", () => {
  const cells = ["Name", "BMC Address", "Serial Number", "MAC Address", "slot"];
  const line = ["a", "10.0.0.1", "S1", "b8:3f:d2:90:97:c4", "7"];
  const host = { name: "a", bmcAddress: "10.0.0.1", serial: "S1", macs: "b8:3f:d2:90:97:c4", slot: "7" };
  const written = (separator: string, end = "\r\n", tail = "") =>
    [cells, line].map((row) => row.join(separator) + tail + end).join("");

  it.each([
    ["commas", written(",")],
    ["semicolons", written(";")],
    ["tabs", written("\t")],
    ["a line that names the separator", `sep=;\r\n${written(";")}`],
    ["a line that names a bar", `\ufeffsep=|\r\n${written("|")}`],
    ["lines that end with CR", written(",", "\r")],
    ["empty cells beside and below", `${written(",", "\r\n", ",,")},,,,,,\r\n`],
  ])("is read with %s", (_what, text) => {
    const parsed = parseHostsCsv(text);
    expect(parsed).toMatchObject({ ok: true, lines: [{ texts: host, faults: [] }] });
    expect(parsed.ok && parsed.lines).toHaveLength(1);
  });

  it("keeps the numbers of its lines where the separator is named", () =>
    expect(parseHostsCsv(`sep=,\n${written(",", "\n")}`)).toMatchObject({ lines: [{ line: 3 }] }));

  it.each([
    ["UTF-16, little-endian", [0xff, 0xfe, 0x61, 0, 0xfc, 0]],
    ["UTF-16, big-endian", [0xfe, 0xff, 0, 0x61, 0, 0xfc]],
    ["UTF-8", [0x61, 0xc3, 0xbc]],
    ["UTF-8 with its mark", [0xef, 0xbb, 0xbf, 0x61, 0xc3, 0xbc]],
  ])("is text in %s", (_what, bytes) => expect(listText(Uint8Array.from(bytes))).toBe("aü"));

  it.each([
    ["a workbook", "PK\u0003\u0004xl/workbook.xml", /choose it as a file/],
    ["UTF-16 without its mark", "n\0a\0m\0e\0", /UTF-8/],
  ])("is refused by name if it is %s", (_what, text, message) =>
    expect(parseHostsCsv(text)).toEqual({
      ok: false,
      faults: [{ line: 1, column: "", message: expect.stringMatching(message) }],
    }),
  );

  const one = (column: string, value: string) =>
    read(`name,bmc_address,bmc_username,bmc_password,${column}\na,b,root,x,${value}\n`);

  it.each(["B83FD29097CA", "b83f.d290.97ca", "B8-3F-D2-90-97-CA", "b8:3f:d2:90:97:ca"])(
    "has the MAC address %s in its usual form",
    (mac) => expect(one("macs", mac)[0]?.host?.macs).toEqual(["b8:3f:d2:90:97:ca"]),
  );

  it.each([
    ["serial", "1.23457E+11", /rounded/],
    ["serial", '"7,00E+03"', /rounded/],
    ["macs", "1.23457E+11", /rounded/],
    ["serial", "\u201cS1\u201d", /quote/],
    ["serial", "'00123456", /quote/],
    ["rack", "R\ufffdume", /lost/],
    ["serial", "2-Jan", /date/],
    ["slot", "Mar-01", /date/],
    ["slot", "1-Feb-2026", /date/],
  ])("has a fault in its %s that a spreadsheet has changed: %s", (column, value, message) =>
    expect(faultsOf(one(column, value))).toEqual([
      { line: 2, column, message: expect.stringMatching(message) },
    ]),
  );

  it.each([
    ["serial", "7E5"],
    ["serial", "00123456"],
    ["slot", "1-2"],
    ["rack", "Mar-01"],
  ])("has no fault in its %s that looks alike: %s", (column, value) =>
    expect(faultsOf(one(column, value))).toEqual([]),
  );
});

describe("a line", () => {
  it.each([
    ["10.0.0.7", "https://10.0.0.7"],
    ["bmc-7.example:8443", "https://bmc-7.example:8443"],
    ["http://BMC.localhost:9/", "http://bmc.localhost:9"],
    ["fd00::7", "https://[fd00::7]"],
  ])("takes the BMC address %s as %s", (address, origin) =>
    expect(read(`${head}\na,${address},root,x,S1\n`)[0]?.host?.bmcAddress).toBe(origin),
  );

  it("becomes a host with everything that it says", () => {
    const text = `name,bmc_address,bmc_username,bmc_password,serial,system_uuid,hardware_type,rack,slot,macs,network_interfaces,labels
a, 10.0.0.1 ,root, pass word ,S1,4C4C4544-0001-4000-8000-00000000000A,idrac,A01,7,AA-BB-CC-00-00-01 aa:bb:cc:00:00:02,dpu0;dpu1,row=a; owner = ops
`;
    expect(read(text)[0]?.host).toEqual({
      line: 2,
      name: "a",
      bmcAddress: "https://10.0.0.1",
      credential: { kind: "own", username: "root", password: " pass word " },
      serial: "S1",
      systemUuid: "4c4c4544-0001-4000-8000-00000000000a",
      hardwareType: "idrac",
      rack: "A01",
      slot: "7",
      macs: ["aa:bb:cc:00:00:01", "aa:bb:cc:00:00:02"],
      networkInterfaces: ["dpu0", "dpu1"],
      labels: { row: "a", owner: "ops" },
    });
  });

  it.each([
    ["a,10.0.0.1/redfish,root,x,S1", "bmc_address", /and port only/],
    ["a,https://root:pw@10.0.0.1,root,x,S1", "bmc_address", /use the columns/],
    ["a,ftp://10.0.0.1,root,x,S1", "bmc_address", /http/],
    ["a,,root,x,S1", "bmc_address", /missing/],
    [",10.0.0.1,root,x,S1", "name", /missing/],
    ["a b,10.0.0.1,root,x,S1", "name", /letters/],
    ["a,10.0.0.1,,x,S1", "bmc_username", /missing/],
    ["a,10.0.0.1,root,,S1", "bmc_password", /missing/],
    ["a,10.0.0.1,root,x,To be filled by O.E.M.", "serial", /names no machine/],
    ["a,10.0.0.1,root,x", "", /4 cells, but the header has 5/],
  ])("%s has a fault in %s", (line, column, message) =>
    expect(faultsOf(read(`${head}\n${line}\n`))).toEqual([
      { line: 2, column, message: expect.stringMatching(message) },
    ]),
  );

  it.each([
    ["macs", "zz"],
    ["labels", "owner"],
    ["system_uuid", "7"],
    ["hardware_type", "fake"],
    ["bmc_password_from", "vault:x"],
  ])("says what %s must be", (column, value) =>
    expect(faultsOf(read(`name,bmc_address,bmc_username,${column}\na,b,root,${value}\n`))).toEqual(
      expect.arrayContaining([{ line: 2, column, message: expect.stringContaining("must be") }]),
    ),
  );

  it("signs in by a set of the site, its own or that of all hosts, and never by two", () => {
    const csv = (line: string) => `name,bmc_address,bmc_username,bmc_password,bmc_credentials\n${line}\n`;
    const context = { credential: { set: "racks" }, secrets: {} };
    const signIn = (line: string) => read(csv(line), context)[0]?.host?.credential;
    expect(signIn("a,b,,,")).toEqual({ kind: "set", name: "racks" });
    expect(signIn("a,b,,,other")).toEqual({ kind: "set", name: "other" });
    expect(signIn("a,b,root,x,")).toEqual({ kind: "own", username: "root", password: "x" });
    expect(faultsOf(read(csv("a,b,root,x,racks")))).toMatchObject([{ column: "bmc_credentials" }]);
    expect(faultsOf(compareLines(read(csv("a,b,,,other")), nothingKnown))).toMatchObject([
      { column: "bmc_credentials", message: expect.stringContaining("no BMC credential set") },
    ]);
    expect(faultsOf(compareLines(read(csv("a,b,,,racks")), nothingKnown))).toEqual([]);
  });

  it("has its password from a reference or from all hosts, and never two", () => {
    const csv = (line: string) => `name,bmc_address,bmc_password,bmc_password_from\n${line}\n`;
    const context = { credential: { username: "root", password: "shared" }, secrets: { "env:PW": "own" } };
    expect(read(csv("a,b,,env:PW"), context)[0]?.host).toMatchObject({
      credential: { username: "root", password: "own" },
    });
    expect(read(csv("a,b,,"), context)[0]?.host).toMatchObject({ credential: { password: "shared" } });
    expect(faultsOf(read(csv("a,b,,env:OTHER"), context))).toEqual([
      { line: 2, column: "bmc_password_from", message: "no value given for env:OTHER" },
    ]);
    expect(faultsOf(read(csv("a,b,x,env:PW"), context))).toMatchObject([{ column: "bmc_password_from" }]);
  });
});

describe("lines beside others", () => {
  it("take the first of two alike, and say where it is", () => {
    const lines = compareLines(
      read(
        `${head}\na,10.0.0.1,root,x,S1\nb,https://10.0.0.1/,root,x,S2\na,10.0.0.3,root,x,S1\nc,10.0.0.4,root,x,\nd,10.0.0.5,root,x,\n`,
      ),
      nothingKnown,
    );
    expect(lines.map(({ host }) => host?.name ?? null)).toEqual(["a", null, null, "c", "d"]);
    expect(faultsOf(lines)).toEqual([
      {
        line: 3,
        column: "bmc_address",
        message: "line 2 has the same BMC address; if several hosts share the BMC, give each its bmc_system",
      },
      { line: 4, column: "name", message: "line 2 has the same name" },
      { line: 4, column: "serial", message: "line 2 has the same serial number" },
    ]);
  });

  it("have no MAC address of another line or host, and no serial that differs in case only", () => {
    const csv = "name,bmc_address,bmc_username,bmc_password,serial,macs\n";
    const text = `${csv}a,10.0.0.1,root,x,AAA1,02:aa:00:00:00:01 02:aa:00:00:00:01\nb,10.0.0.2,root,x,aaa1,02:AA:00:00:00:01\nc,10.0.0.3,root,x,S3,02:aa:00:00:00:09\n`;
    const known = { ...nothingKnown.known, macs: new Map([["02:aa:00:00:00:09", "gpu-9"]]) };
    const lines = compareLines(read(text), { ...nothingKnown, known });
    expect(lines.map(({ host }) => host?.name ?? null)).toEqual(["a", null, null]);
    expect(faultsOf(lines)).toEqual([
      { line: 3, column: "serial", message: "line 2 has the same serial number" },
      { line: 3, column: "macs", message: "line 2 has the same MAC address" },
      {
        line: 4,
        column: "macs",
        message: "host gpu-9 already has this MAC address: remove the line, or delete that host first",
      },
    ]);
  });

  it("may be several at one BMC address, each its own system", () => {
    const around: Surroundings = {
      ...nothingKnown,
      known: {
        ...nothingKnown.known,
        bmcAddress: new Map([["https://10.0.0.1 /redfish/v1/Systems/9", "gpu-9"]]),
      },
    };
    const csv = "name,bmc_address,bmc_system,bmc_username,bmc_password\n";
    const lines = ["/redfish/v1/Systems/1", "/redfish/v1/Systems/2/", "/redfish/v1/Systems/2", "", "2"]
      .concat("/redfish/v1/Systems/9")
      .map((system, index) => `${"abcdef".charAt(index)},10.0.0.1,${system},root,x`);
    const checked = compareLines(read(csv + lines.join("\n")), around);
    expect(checked.map(({ host }) => host?.bmcSystem ?? host?.name ?? null)).toEqual([
      "/redfish/v1/Systems/1",
      "/redfish/v1/Systems/2",
      null,
      "d",
      null,
      null,
    ]);
    expect(faultsOf(checked)).toEqual([
      { line: 4, column: "bmc_system", message: "line 3 has the same system at the same BMC address" },
      { line: 6, column: "bmc_system", message: "must be a path, such as /redfish/v1/Systems/1" },
      {
        line: 7,
        column: "bmc_system",
        message:
          "host gpu-9 already has this system at the same BMC address: remove the line, or delete that host first",
      },
    ]);
  });

  it("are no hosts that are known, and name no unknown SKU", () => {
    const around: Surroundings = {
      known: { ...nothingKnown.known, serial: new Map([["s1", "gpu-1"]]) },
      skus: new Set(["HGX-8"]),
      credentialSets: new Set(),
    };
    const csv = "name,bmc_address,bmc_username,bmc_password,serial,sku\n";
    expect(faultsOf(compareLines(read(`${csv}a,b,root,x,S1,HGX-8\nc,d,root,x,S2,HGX-9\n`), around))).toEqual([
      {
        line: 2,
        column: "serial",
        message: "host gpu-1 already has this serial number: remove the line, or delete that host first",
      },
      { line: 3, column: "sku", message: expect.stringContaining("no SKU") },
    ]);
  });
});

describe("the hosts of an enrolment", () => {
  it("are provided by themselves only where somebody said which machine it must be", () => {
    const intents = (firstContact: "confirm" | "accept", serialGiven: boolean) =>
      intentsOfEnrolment({ goal: "ready", firstContact }, serialGiven);
    expect(intents("confirm", false)).toEqual(["manage"]);
    expect(intents("confirm", true)).toEqual(["manage", "provide"]);
    expect(intents("accept", false)).toEqual(["manage", "provide"]);
    expect(intentsOfEnrolment({ goal: "manageable", firstContact: "accept" }, true)).toEqual(["manage"]);
    expect(intentsOfEnrolment({ goal: "enrolled", firstContact: "accept" }, true)).toEqual([]);
  });

  it.each([
    ["Enroll", [], false, "stopped"],
    ["Enroll", ["manage"], false, "verifying"],
    ["Verifying", [], false, "verifying"],
    ["Manageable", [], false, "confirm"],
    ["Manageable", ["provide"], false, "cleaning"],
    ["Manageable", [], true, "done"],
    ["WaitingForCleanup/Queued", [], false, "cleaning"],
    ["BomValidating/WaitingForSkuAssignment", [], false, "stopped"],
    ["Failed/BmcUnreachable", [], false, "stopped"],
    ["Ready", [], true, "done"],
    ["Assigned/Ready", [], true, "done"],
  ] as const)("in %s with %j asked for are at their stage", (state, pending, wasReady, stage) =>
    expect(stageOf({ enrolled: true, goal: "ready", state, wasReady, pending })).toBe(stage),
  );

  it("have a stage in every state, and every dead end an act", () => {
    for (const goal of enrolmentGoals)
      for (const state of [...allStates(), null]) {
        const stage = stageOf({ enrolled: true, goal, state, wasReady: false, pending: [] });
        expect(enrolmentStages).toContain(stage);
        const { words, acts } = adviceOf(stage, state);
        if (stage === "stopped" || stage === "confirm") {
          expect(words).not.toBe("");
          expect(acts).not.toEqual([]);
        }
      }
    expect(stageOf({ enrolled: false, goal: "ready", state: null, wasReady: false, pending: [] })).toBe(
      "refused",
    );
  });
});

describe("a hardware type", () => {
  it.each([
    ["Dell Inc.", "idrac"],
    ["Lenovo", "xclarity"],
    ["Generic Systems", "redfish"],
    ["", "redfish"],
  ])("of %s is %s", (manufacturer, type) => expect(machineTypeOf(manufacturer)).toBe(type));

  it("has a column", () => expect(columnNames).toContain("hardware_type"));
});

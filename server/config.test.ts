// Settings: their defaults, and that a wrong one is an error which names the variable and does not repeat the value.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ConfigError, loadSeedConfig, loadServerConfig, loadSimulatorConfig } from "@/server/config";

const server = {
  DATABASE_URL: "postgresql://reclaim:secret@127.0.0.1:5432/reclaim",
  NEXTAUTH_SECRET: "n".repeat(32),
  RECLAIM_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
};
const simulator = {
  RECLAIM_SIM_PORT: "4000",
  RECLAIM_SIM_BMC_PASSWORD: "p".repeat(8),
  RECLAIM_SIM_CONTROLLER_URL: "http://127.0.0.1:3000/",
  RECLAIM_SIM_NETWORK_TOKEN: "t".repeat(16),
  RECLAIM_SIM_CONTROL_TOKEN: "c".repeat(16),
};

/** Names of the variables that a loader complains about. */
function complaints(load: () => unknown): string[] {
  try {
    load();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((problem) => problem.variable);
    throw error;
  }
  return [];
}

describe("loadServerConfig", () => {
  it("needs three settings and has defaults for the rest", () => {
    expect(loadServerConfig(server)).toMatchObject({
      port: 3000,
      roles: ["web", "controller"],
      baseUrl: "http://localhost:3000",
      leaseMs: 60_000,
      sweepMs: 30_000,
      powerReadMs: 120_000,
      takeoverMs: 1_000,
      longPollMs: 25_000,
      bmcNetworks: [],
      metricsToken: undefined,
      trustedProxies: [],
      ironicNoauth: false,
      serviceAccountOrg: undefined,
      checkAnswers: false,
    });
    expect(complaints(() => loadServerConfig({}))).toEqual([
      "DATABASE_URL",
      "NEXTAUTH_SECRET",
      "RECLAIM_ENCRYPTION_KEY",
    ]);
  });

  it("takes an empty variable for an unset one", () => {
    expect(loadServerConfig({ ...server, PORT: "", RECLAIM_METRICS_TOKEN: "" })).toMatchObject({
      port: 3000,
      metricsToken: undefined,
    });
  });

  it("sends hosts to the public address, or to a listener of their own, whose address must then be given", () => {
    expect(loadServerConfig({ ...server, RECLAIM_BASE_URL: "https://reclaim.example" })).toMatchObject({
      machineUrl: "https://reclaim.example",
      machineListen: null,
      bootImageUrl: "https://reclaim.example/boot/image",
    });
    const own = { ...server, RECLAIM_MACHINE_LISTEN: "[fd00::5]:8080" };
    expect(complaints(() => loadServerConfig(own))).toEqual(["RECLAIM_MACHINE_URL"]);
    const url = "http://hosts.example:8080";
    expect(loadServerConfig({ ...own, RECLAIM_MACHINE_URL: `${url}/` })).toMatchObject({
      baseUrl: "http://localhost:3000",
      machineUrl: url,
      machineListen: { address: "fd00::5", port: 8080 },
      bootImageUrl: `${url}/boot/image`,
    });
    expect(
      loadServerConfig({ ...server, RECLAIM_MACHINE_LISTEN: "10.20.0.5:80", RECLAIM_MACHINE_URL: url }),
    ).toMatchObject({ machineListen: { address: "10.20.0.5", port: 80 } });
  });

  it("reads lists", () => {
    const config = loadServerConfig({
      ...server,
      RECLAIM_ROLES: "controller",
      RECLAIM_BMC_NETWORKS: "loopback, 10.0.0.0/8,fd00::/8",
    });
    expect(config.roles).toEqual(["controller"]);
    expect(config.bmcNetworks).toEqual(["loopback", "10.0.0.0/8", "fd00::/8"]);
  });

  it.each([
    ["DATABASE_URL", "mysql://x/y"],
    ["RECLAIM_IRONIC_NOAUTH", "yes"],
    ["RECLAIM_SERVICE_ACCOUNT_ORG", "two words"],
    ["PORT", "70000"],
    ["PORT", "3000x"],
    ["RECLAIM_ROLES", "web,simulator"],
    ["RECLAIM_ROLES", ","],
    ["RECLAIM_BASE_URL", "ftp://x"],
    ["RECLAIM_MACHINE_URL", "hosts.example"],
    ["RECLAIM_MACHINE_LISTEN", "8080"],
    ["RECLAIM_MACHINE_LISTEN", "hosts.example:8080"],
    ["RECLAIM_MACHINE_LISTEN", "10.20.0.5:70000"],
    ["RECLAIM_MACHINE_LISTEN", "10.20.0.5"],
    ["RECLAIM_MACHINE_LISTEN", "fd00::5:8080"],
    ["NEXTAUTH_SECRET", "short"],
    ["RECLAIM_ENCRYPTION_KEY", "AAAA"],
    ["RECLAIM_LEASE_MS", "-1"],
    ["RECLAIM_SWEEP_MS", "1.5"],
    ["RECLAIM_BMC_NETWORKS", "10.0.0.0/40"],
    ["RECLAIM_LOG_LEVEL", "loud"],
    ["RECLAIM_CONTROLLER_NAME", "a b"],
  ])("refuses %s=%s by name", (variable, value) => {
    expect(complaints(() => loadServerConfig({ ...server, [variable]: value }))).toEqual([variable]);
  });

  it("keeps a wrong secret out of the message", () => {
    expect(() => loadServerConfig({ ...server, RECLAIM_ENCRYPTION_KEY: "hunter2" })).toThrow(
      /^RECLAIM_ENCRYPTION_KEY: (?!.*hunter2)/,
    );
  });
});

describe("every variable that the server reads", () => {
  const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
  const [, body = ""] = /const serverSettings = z\.object\(\{\n(.*?)\n\}\);/s.exec(read("config.ts")) ?? [];
  const [, evidence = ""] =
    /export const evidenceShape = \{\n(.*?)\n\};/s.exec(read("setting-shapes.ts")) ?? [];
  /** The sign-in library reads the last one itself. */
  const variables = [...`${body}\n${evidence}`.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)]
    .map(([, name = ""]) => name)
    .concat("NEXTAUTH_URL");

  it("has a row in the table of settings, and no row is of another", () => {
    expect(variables.length).toBeGreaterThan(25);
    const [, table = ""] = /## Settings\n(.*?)\n## /s.exec(read("../docs/operations.md")) ?? [];
    const rows = table
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .flatMap((line) =>
        [...(line.split("|")[1] ?? "").matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name),
      );
    expect(rows.sort()).toEqual([...variables].sort());
  });

  it("is in the file to start from", () => {
    const names = [...read("../.env.example").matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
    expect(names.sort()).toEqual([...variables].sort());
  });
});

describe("loadSimulatorConfig", () => {
  it("drops the slash after the controller's address", () => {
    expect(loadSimulatorConfig(simulator)).toMatchObject({
      port: 4000,
      hosts: 200,
      speed: 1,
      seed: 1,
      controllerUrl: "http://127.0.0.1:3000",
    });
  });

  it("refuses a database", () => {
    expect(
      complaints(() => loadSimulatorConfig({ ...simulator, DATABASE_URL: server.DATABASE_URL })),
    ).toEqual(["DATABASE_URL"]);
  });
});

describe("loadSeedConfig", () => {
  const seed = {
    ...server,
    RECLAIM_BASE_URL: "http://localhost:3000",
    RECLAIM_DEMO_LOGINS: "/tmp/logins.json",
  };

  it("has no simulated fleet without its port", () => {
    expect(loadSeedConfig(seed).simulator).toBeUndefined();
  });

  it("needs the fleet's credentials with its port", () => {
    expect(complaints(() => loadSeedConfig({ ...seed, RECLAIM_SIM_PORT: "4000" }))).toEqual([
      "RECLAIM_SIM_BMC_PASSWORD",
      "RECLAIM_SIM_NETWORK_TOKEN",
    ]);
    expect(loadSeedConfig({ ...seed, ...simulator }).simulator).toMatchObject({
      port: 4000,
      hosts: 200,
      speed: 1,
    });
  });
});

// The environment of each process: the simulator gets no database and none of our secrets, and the user's own settings take precedence.
import { describe, expect, it } from "vitest";
import { loadSeedConfig, loadServerConfig, loadSimulatorConfig } from "@/server/config";
import { childEnvironments } from "@/scripts/child-environments.mjs";
import { embeddedDatabases } from "@/scripts/setup/roles.mjs";

const secrets = {
  nextAuthSecret: "n".repeat(43),
  encryptionKey: Buffer.alloc(32).toString("base64"),
  databasePassword: "database-password",
  bmcPassword: "bmc-password",
  networkToken: "network-token-network",
  controlToken: "control-token-control",
};
const system = {
  env: { PATH: "/bin", PGPASSWORD: "another" } as Readonly<Record<string, string | undefined>>,
  databases: embeddedDatabases("postgresql://reclaim:database-password@127.0.0.1:5555/reclaim", secrets),
  url: "http://localhost:3100",
  options: { port: 3100, speed: 60 },
  secrets,
  fleet: { hosts: 5, seed: 7, port: 4100 },
  files: {
    demoLogins: "/state/demo-logins.json",
    simulator: "/state/simulator.jsonl",
    highWater: "/state/high-water",
    image: "/state/image",
  },
};

describe("childEnvironments", () => {
  it("gives each program what its configuration wants", () => {
    const { server, seed, simulator } = childEnvironments(system);
    expect(loadServerConfig(server)).toMatchObject({
      port: 3100,
      baseUrl: system.url,
      bmcNetworks: ["loopback"],
    });
    expect(loadSeedConfig(seed)).toMatchObject({
      demoLoginsFile: "/state/demo-logins.json",
      simulator: { port: 4100, hosts: 5 },
    });
    expect(loadSimulatorConfig(simulator)).toMatchObject({
      port: 4100,
      hosts: 5,
      seed: 7,
      speed: 60,
      stateFile: "/state/simulator.jsonl",
      controllerUrl: "http://127.0.0.1:3100",
    });
  });

  it("keeps the database and our secrets from the simulator", () => {
    const text = JSON.stringify(childEnvironments(system).simulator);
    for (const secret of [
      "postgresql:",
      secrets.databasePassword,
      secrets.encryptionKey,
      secrets.nextAuthSecret,
      "PGPASSWORD",
    ])
      expect(text).not.toContain(secret);
  });

  it("keeps the simulator's control token from the server", () => {
    expect(JSON.stringify(childEnvironments(system).server)).not.toContain(secrets.controlToken);
  });

  it("lets the user's settings win", () => {
    const env = {
      RECLAIM_BASE_URL: "https://reclaim.example.org",
      RECLAIM_BMC_NETWORKS: "10.0.0.0/8",
      RECLAIM_ROLES: "web",
    };
    expect(loadServerConfig(childEnvironments({ ...system, env }).server)).toMatchObject({
      baseUrl: "https://reclaim.example.org",
      bmcNetworks: ["10.0.0.0/8"],
      roles: ["web"],
    });
  });

  it("says nothing of a fleet when there is none", () => {
    const { server, seed } = childEnvironments({ ...system, fleet: undefined });
    expect(loadServerConfig(server)).toMatchObject({ bmcNetworks: [] });
    expect(loadSeedConfig(seed).simulator).toBeUndefined();
  });
});

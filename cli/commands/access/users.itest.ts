// `reclaim users`, `tokens` and `sessions` against a real server: what is printed once, what takes effect at once, and who is refused.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { startAgainstServer } from "@/cli/testing/against-server";
import type { TestCommand, Ended } from "@/cli/testing/command";
import type { Role } from "@/server/domain/access/roles";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";
import { granted } from "@/server/testing/acts";
import { createToken } from "@/server/usecases/access/create-token";

let server: ConsoleServer;
let command: TestCommand;
let stop: () => Promise<void>;
const { ok, usage, forbidden, notFound, notNow } = exitCodes;

const withToken = (token: string, ...args: string[]): Promise<Ended> =>
  command.run(args, { url: server.url, token });
const as = async (role: Role, ...args: string[]) => withToken(await server.token(role), ...args);
const admin = (...args: string[]) => as("provider-admin", ...args);

beforeAll(async () => {
  ({ server, command, stop } = await startAgainstServer());
});
afterAll(() => stop());

describe("users", () => {
  it("are created, changed, disabled and enabled; the password alone is on stdout", async () => {
    const made = await admin(
      "users",
      "create",
      "new@example.test",
      "--name",
      "New One",
      "--role",
      "operator",
    );
    expect(made).toMatchObject({ code: ok.code });
    expect(made.stdout).toMatch(/^[\w-]{24}\n$/);
    expect(made.stderr).toContain("shown this once");
    expect((await admin("users", "list")).stdout).toMatch(/New One +new@example.test +operator/);
    expect(
      await admin("users", "change", "new@example.test", "--role", "tenant-admin", "--org", "acme"),
    ).toMatchObject({ code: ok.code, stderr: "New One is changed.\n" });
    expect((await admin("users", "list")).stdout).toMatch(/New One +new@example.test +tenant admin +acme/);
    expect((await admin("users", "disable", "New One")).stderr).toContain("Add --yes");
    expect(await admin("users", "disable", "New One", "--yes")).toMatchObject({ code: ok.code });
    expect((await admin("users", "list")).stdout).toMatch(/new@example.test .*disabled/);
    expect(await admin("users", "enable", "New One")).toMatchObject({ code: ok.code });
    const reset = await admin("users", "reset-password", "New One", "--yes", "-o", "json");
    expect(JSON.parse(reset.stdout)).toMatchObject({
      email: "new@example.test",
      password: expect.any(String),
    });
    const again = await admin("users", "reset-passkeys", "New One", "--reason", "lost", "--yes");
    expect(again.stderr).toContain("The password of new@example.test, shown this once.");
    expect(again.stdout.trim()).not.toBe("");
  });

  it("are refused without a name, to other roles, and where the rules forbid it", async () => {
    expect((await admin("users", "change", "nobody@example.test", "--name", "x")).code).toBe(notFound.code);
    expect((await admin("users", "create", "x@y.test", "--name", "X", "--role", "king")).code).toBe(
      usage.code,
    );
    expect((await admin("users", "create", "x@y.test", "--name", "X", "--role", "tenant-admin")).code).toBe(
      usage.code,
    );
    expect((await as("operator", "users", "list")).code).toBe(forbidden.code);
    expect((await as("auditor", "users", "list")).code).toBe(ok.code);
    expect((await as("auditor", "users", "disable", "operator-acme@example.test", "--yes")).code).toBe(
      forbidden.code,
    );
    const { email } = server.world.actor("provider-admin");
    expect((await admin("users", "change", email, "--role", "auditor")).code).toBe(forbidden.code);
    expect((await admin("users", "reset-password", email, "--yes")).code).toBe(notNow.code);
  });
});

describe("tokens", () => {
  it("are listed and revoked by their person; one that may only read changes nothing", async () => {
    const actor = server.world.actor("provider-admin");
    const { token } = granted(
      await createToken(server.world.backend, actor, server.world.request(), {
        personId: actor.personId,
        name: "dashboard",
        scope: "read",
      }),
    );
    expect((await withToken(token, "users", "list")).code).toBe(ok.code);
    const refused = await withToken(token, "tokens", "revoke", "dashboard", "--yes");
    expect(refused).toMatchObject({ code: forbidden.code, stderr: expect.stringContaining("only read") });
    const listed = await admin("tokens", "list");
    expect(listed.stdout).toMatch(/dashboard +provider-admin of acme +read/);
    expect(listed.stdout).not.toContain(token);
    expect((await admin("tokens", "revoke", "dashboard")).stderr).toContain("Add --yes");
    expect((await admin("tokens", "revoke", "dashboard", "--yes")).code).toBe(ok.code);
    expect((await withToken(token, "users", "list")).code).toBe(forbidden.code);
    expect((await as("tenant-admin", "tokens", "list", "-o", "json")).stdout).not.toContain("provider-admin");
  });
});

describe("sessions", () => {
  it("are listed and ended", async () => {
    expect((await admin("sessions", "list")).stderr).toBe("No sessions.\n");
    expect((await admin("sessions", "end")).code).toBe(usage.code);
    expect((await admin("sessions", "end", "--id", "10000000-0000-4000-8000-000000000001")).code).toBe(
      notFound.code,
    );
    expect(await admin("sessions", "end", "--user", "operator-acme@example.test", "--yes")).toMatchObject({
      code: ok.code,
      stderr: expect.stringContaining("have ended"),
    });
    expect((await as("operator", "sessions", "list")).code).toBe(ok.code);
  });
});

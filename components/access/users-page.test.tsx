// @vitest-environment happy-dom
// Managing users and tokens: what is sent, what is shown once, and what users cannot do to themselves.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { beginAnswer, browserWithPasskey, signed } from "@/components/testing/passkey";
import { admin, Refusal, show } from "@/components/testing/rendered";
import { AccountPage } from "@/components/access/account-page";
import { SessionsPage, TokensPage } from "@/components/access/all-access-pages";
import { UsersPage } from "@/components/access/users-page";
import type { PersonLine, SessionLine, TokenLine } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-20T11:00:00Z");
const person = (personId: string, name: string, parts: Partial<PersonLine> = {}): PersonLine => ({
  personId,
  name,
  email: `${name.toLowerCase()}@example.test`,
  role: "operator",
  roleWords: "operator",
  org: null,
  disabledAt: null,
  createdAt: at,
  lastUsedAt: at,
  sessions: 1,
  tokens: 0,
  passkeys: 0,
  wasReset: false,
  ...parts,
});
const people = [
  person(admin.personId, "Ada", { role: "provider-admin", roleWords: "provider admin" }),
  person("p2", "Olaf", { passkeys: 2 }),
  person("p3", "Dora", { disabledAt: at, wasReset: true }),
];
const tenants = [
  {
    org: "acme",
    name: "Acme",
    networkAllocation: true,
    targetedInstanceCreation: false,
    instanceQuota: null,
  },
];
const answers = {
  "people.list": () => people,
  "cleaning.scopes": () => ({ sites: [{ id: "s", name: "a" }] }),
  "site.get": () => ({ document: { tenants } }),
};
const dialog = async () => within(await screen.findByRole("dialog"));

it("creates a user of a tenant, and shows the password this once", async () => {
  const user = userEvent.setup();
  const { calls } = show(<UsersPage />, {
    answers: {
      ...answers,
      "people.create": () => ({ personId: "p4", email: "new@example.test", password: "once-only" }),
    },
  });
  await user.click(await screen.findByRole("button", { name: "Create a user…" }));
  const form = await dialog();
  await enter(user, form.getByLabelText("Email"), "new@example.test");
  await user.type(form.getByLabelText("Name"), "New");
  await user.selectOptions(form.getByLabelText("Role"), "tenant admin");
  expect(form.getByRole("button", { name: "Create user" })).toHaveAccessibleDescription(
    "Choose the organization",
  );
  await user.selectOptions(await form.findByLabelText("Organization"), await form.findByText("Acme (acme)"));
  await user.click(form.getByRole("button", { name: "Create user" }));
  expect(await screen.findByText("once-only")).toBeVisible();
  expect(calls).toEqual([
    {
      path: "people.create",
      input: { email: "new@example.test", name: "New", role: "tenant-admin", org: "acme" },
    },
  ]);
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText("once-only")).toBeNull();
});

it("says where tenants come from while there is none", async () => {
  const user = userEvent.setup();
  show(<UsersPage />, { answers: { ...answers, "site.get": () => ({ document: { tenants: [] } }) } });
  await user.click(await screen.findByRole("button", { name: "Create a user…" }));
  const form = await dialog();
  await user.selectOptions(form.getByLabelText("Role"), "tenant admin");
  expect(await form.findByRole("link", { name: "Tenants" })).toHaveAttribute("href", "/settings/tenants");
});

it("disables another after saying what that means, and offers nobody to disable themselves", async () => {
  const user = userEvent.setup();
  const { calls } = show(<UsersPage />, {
    answers: { ...answers, "people.disable": () => ({ personId: "p2" }) },
  });
  await user.click(await screen.findByRole("button", { name: "More acts on Olaf" }));
  await user.click(await screen.findByRole("menuitem", { name: /^Disable/ }));
  const asked = await dialog();
  expect(asked.getByText(/tokens are revoked at once/)).toBeVisible();
  await user.click(asked.getByRole("button", { name: "Disable" }));
  await waitFor(() => expect(calls).toEqual([{ path: "people.disable", input: { personId: "p2" } }]));
  await user.click(screen.getByRole("button", { name: "More acts on Ada" }));
  expect(await screen.findByRole("menuitem", { name: /^Disable/ })).toHaveTextContent(
    "You cannot disable yourself",
  );
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("button", { name: "More acts on Dora" }));
  expect(await screen.findByRole("menuitem", { name: "Enable…" })).toBeVisible();
});

it("shows what the server refuses of a change at its field", async () => {
  const user = userEvent.setup();
  show(<UsersPage />, {
    answers: {
      ...answers,
      "people.change": () => {
        throw new Refusal("This is the last provider admin who can sign in.", "role");
      },
    },
  });
  await user.click(await screen.findByRole("button", { name: "Change Olaf" }));
  const form = await dialog();
  await user.selectOptions(form.getByLabelText("Role"), "auditor");
  await user.click(form.getByRole("button", { name: "Change user" }));
  await waitFor(() => expect(form.getByLabelText("Role")).toHaveAccessibleDescription(/last provider admin/));
});

const token: TokenLine = {
  tokenId: "t1",
  name: "script",
  personId: admin.personId,
  personName: "Ada",
  scope: "read",
  createdAt: at,
  expiresAt: null,
  expired: false,
  lastUsedAt: null,
};
const session: SessionLine = {
  sessionId: "s1",
  personId: admin.personId,
  personName: "Ada",
  beganAt: at,
  usedAt: at,
  address: "10.0.0.1",
  current: true,
};

const noPasskey = { items: [], confirmsWith: "password", refusal: null };

it("the account makes a token with an expiry, and asks for the current password before another", async () => {
  const user = userEvent.setup();
  const { calls } = show(<AccountPage />, {
    answers: {
      "passkeys.list": () => noPasskey,
      "tokens.list": () => [token],
      "sessions.list": () => [session],
      "tokens.create": () => ({ tokenId: "t2", token: "rcl_once" }),
      "account.changePassword": () => {
        throw new Refusal("The current password is wrong.", "current");
      },
    },
  });
  expect(await screen.findByText("read only")).toBeVisible();
  expect(screen.getByText("This session")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Create a token…" }));
  const form = await dialog();
  await user.type(form.getByLabelText(/^Name/), "ci");
  await user.click(form.getByRole("button", { name: "Create token" }));
  expect(await screen.findByText("rcl_once")).toBeVisible();
  expect(calls[0]).toMatchObject({
    path: "tokens.create",
    input: { personId: admin.personId, name: "ci", scope: "full", expiresAt: expect.any(Date) },
  });
  await user.click(screen.getByRole("button", { name: "Close" }));
  await enter(user, screen.getByLabelText("Current password"), "wrong");
  await enter(user, screen.getByLabelText("New password"), "a new password");
  const change = screen.getByRole("button", { name: "Change password" });
  expect(change).toHaveAccessibleDescription("The new passwords differ");
  await enter(user, screen.getByLabelText("New password, again"), "a new password");
  await user.click(change);
  await waitFor(() =>
    expect(screen.getByLabelText("Current password")).toHaveAccessibleDescription(/is wrong/),
  );
});

it("filters everybody's tokens and sessions, and revokes and ends the one that is left", async () => {
  const user = userEvent.setup();
  const { calls, unmount } = show(<TokensPage />, {
    answers: {
      ...answers,
      "tokens.list": () => [token, { ...token, tokenId: "t2", name: "ci", personId: "p2", scope: "full" }],
      "tokens.revoke": () => ({ tokenId: "t2" }),
    },
  });
  await enter(user, await screen.findByRole("searchbox", { name: "Filter tokens" }), "scope:full");
  expect(screen.queryByRole("row", { name: /script/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Revoke ci" }));
  await user.click((await dialog()).getByRole("button", { name: "Revoke token" }));
  await waitFor(() => expect(calls).toEqual([{ path: "tokens.revoke", input: { tokenId: "t2" } }]));
  unmount();
  const ended = show(<SessionsPage />, {
    answers: {
      ...answers,
      "sessions.list": () => [session, { ...session, sessionId: "s2", address: "10.0.0.2", current: false }],
      "sessions.end": () => ({ sessionId: "s2" }),
    },
  });
  await enter(user, await screen.findByRole("searchbox", { name: "Filter sessions" }), "address:*.2");
  expect(screen.queryByText(", this session")).toBeNull();
  await user.click(screen.getByRole("button", { name: /^End the session/ }));
  await user.click((await dialog()).getByRole("button", { name: "End session" }));
  await waitFor(() => expect(ended.calls).toEqual([{ path: "sessions.end", input: { sessionId: "s2" } }]));
});

it("resets the passkeys of another with a reason, and offers it for nobody without one that no reset stands for", async () => {
  const user = userEvent.setup();
  const { calls } = show(<UsersPage />, {
    answers: {
      ...answers,
      "people.resetPasskeys": () => ({ personId: "p2", email: "olaf@example.test", password: "once-only" }),
    },
  });
  await user.click(await screen.findByRole("button", { name: "More acts on Ada" }));
  expect(screen.queryByRole("menuitem", { name: /^Reset passkeys/ })).toBeNull();
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("button", { name: "More acts on Dora" }));
  expect(await screen.findByRole("menuitem", { name: /^Reset passkeys/ })).toBeVisible();
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("button", { name: "More acts on Olaf" }));
  await user.click(await screen.findByRole("menuitem", { name: /^Reset passkeys/ }));
  const form = await dialog();
  expect(form.getByText(/Olaf cannot approve your requests/)).toBeVisible();
  const reset = form.getByRole("button", { name: "Reset passkeys" });
  expect(reset).toHaveAccessibleDescription("Enter a reason");
  await enter(user, form.getByLabelText(/^Reason/), "lost the laptop");
  await user.click(reset);
  await waitFor(() =>
    expect(calls).toEqual([
      { path: "people.resetPasskeys", input: { personId: "p2", reason: "lost the laptop" } },
    ]),
  );
  expect(await screen.findByText("once-only")).toBeVisible();
});

it("the first passkey asks for the password, a removal for a passkey, and a bad address is said", async () => {
  const user = userEvent.setup();
  browserWithPasskey();
  const passkey = { passkeyId: "k1", name: "laptop", createdAt: at, lastUsedAt: null, elsewhere: null };
  const account = (listed: object) =>
    show(<AccountPage />, {
      answers: {
        "tokens.list": () => [],
        "sessions.list": () => [session],
        "passkeys.list": () => listed,
        "passkeys.beginAdd": () => {
          throw new Refusal("The password is wrong.", "password");
        },
        "passkeys.begin": beginAnswer,
        "passkeys.remove": () => ({ passkeyId: "k1" }),
      },
    });
  const first = account(noPasskey);
  await user.click(await screen.findByRole("button", { name: "Add a passkey…" }));
  const form = await dialog();
  expect(form.getByText(/confirm your decisions with a passkey/)).toBeVisible();
  await enter(user, form.getByLabelText(/^Name/), "laptop");
  expect(form.getByRole("button", { name: "Add passkey" })).toHaveAccessibleDescription(
    "Enter your password",
  );
  await enter(user, form.getByLabelText("Your password"), "wrong");
  await user.click(form.getByRole("button", { name: "Add passkey" }));
  await waitFor(() => expect(form.getByLabelText("Your password")).toHaveAccessibleDescription(/is wrong/));
  first.unmount();
  const { calls, unmount } = account({ items: [passkey], confirmsWith: "passkey", refusal: null });
  await user.click(await screen.findByRole("button", { name: "Remove laptop" }));
  const asked = await dialog();
  expect(asked.getByText(/decide with the password again/)).toBeVisible();
  await user.click(asked.getByRole("button", { name: "Remove passkey" }));
  await screen.findByText("The passkey laptop is removed.");
  expect(calls).toMatchObject([
    { path: "passkeys.begin", input: { purpose: "remove", passkeyId: "k1" } },
    { path: "passkeys.remove", input: { passkeyId: "k1", passkey: { id: signed } } },
  ]);
  unmount();
  account({ ...noPasskey, refusal: "Passkeys need https." });
  expect(await screen.findByRole("button", { name: "Add a passkey…" })).toHaveAccessibleDescription(
    "Passkeys need https.",
  );
});

it("says what each role may do, and how many users have it who can sign in", async () => {
  show(<UsersPage />, { answers });
  const table = await screen.findByRole("table", { name: "Roles" });
  expect(within(table).getByRole("row", { name: /^operator the provider 1 see all hosts/ })).toBeVisible();
  expect(within(table).getByRole("row", { name: /^tenant admin a tenant 0 create/ })).toBeVisible();
});

// @vitest-environment happy-dom
// Changing what a tenant may do at a site, and disabling or enabling a tenant.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { show } from "@/components/testing/rendered";
import { TenantActDialog, TenantActs, type TenantAct } from "@/components/sites/tenants/tenant-acts";
import type { TenantLine } from "@/server/surfaces/trpc/types";

const at = (site: string, networkAllocation: boolean) => ({
  siteId: site,
  site,
  networkAllocation,
  targetedInstanceCreation: false,
  instances: 0,
});
const tenant: TenantLine = {
  tenantId: "t1",
  org: "acme",
  name: "Acme",
  disabledAt: null,
  instanceQuota: null,
  instances: 1,
  people: 2,
  sites: [at("berlin", true), at("oslo", false)],
  createdAt: new Date("2026-11-20T11:00:00Z"),
};

function Acts({ line = tenant, whyNot }: { line?: TenantLine; whyNot?: string }) {
  const [act, setAct] = useState<TenantAct>();
  return (
    <>
      <TenantActs tenant={line} whyNot={whyNot} ask={setAct} />
      {act === undefined ? null : <TenantActDialog act={act} onClose={() => setAct(undefined)} />}
    </>
  );
}
const more = async (user: ReturnType<typeof userEvent.setup>, item: string) => {
  await user.click(await screen.findByRole("button", { name: "More acts on acme" }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
  return within(await screen.findByRole("dialog"));
};

it("is given at one site, with a reason", async () => {
  const user = userEvent.setup();
  const { calls } = show(<Acts />, {
    answers: { "tenants.setGrants": () => ({ org: "acme", site: "oslo", changed: true }) },
  });
  const form = await more(user, "At site oslo…");
  await user.click(form.getByLabelText(/^Network allocation/));
  await enter(user, form.getByLabelText("Reason"), "contract 17");
  await user.click(form.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(calls).toEqual([
      {
        path: "tenants.setGrants",
        input: {
          org: "acme",
          site: "oslo",
          networkAllocation: true,
          targetedInstanceCreation: false,
          reason: "contract 17",
        },
      },
    ]),
  );
});

it("is disabled after saying what that means, with a reason, and enabled again", async () => {
  const user = userEvent.setup();
  const { calls } = show(<Acts />, { answers: { "tenants.disable": () => ({ org: "acme" }) } });
  const form = await more(user, "Disable…");
  expect(form.getByText(/instances stay until an operator releases them/)).toBeVisible();
  await user.type(form.getByLabelText("Reason"), "left");
  await user.click(form.getByRole("button", { name: "Disable tenant" }));
  await waitFor(() =>
    expect(calls).toEqual([{ path: "tenants.disable", input: { org: "acme", reason: "left" } }]),
  );
});

it("is offered to nobody else", async () => {
  const user = userEvent.setup();
  show(
    <Acts whyNot="Only a provider admin can change settings" line={{ ...tenant, disabledAt: new Date() }} />,
    {
      answers: {},
    },
  );
  await user.click(await screen.findByRole("button", { name: "More acts on acme" }));
  expect(await screen.findByRole("menuitem", { name: /^Enable/ })).toHaveTextContent("Only a provider admin");
});

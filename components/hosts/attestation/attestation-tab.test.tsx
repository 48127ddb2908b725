// @vitest-environment happy-dom
// The section Attestation of a host: what its TPM proved, and the way to accept another key.
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Attestation } from "@/components/hosts/attestation/attestation-tab";
import { action, failedHost } from "@/components/testing/host";
import { show } from "@/components/testing/rendered";
import type { HostAttestationView } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-30T07:00:00Z");
const make = { manufacturer: "id:49465800", model: "SLB9670", version: "id:00070055" };
const proven: HostAttestationView = {
  ...{
    mode: "observe",
    state: "proven",
    cause: null,
    words: "Proven in boot 3: CN=A maker vouches for the key.",
  },
  ...{ bootEpoch: 3, toldAt: at },
  key: {
    digest: "a".repeat(64),
    certificate: { make, authority: "CN=A maker", faults: [] },
    activatedAt: at,
  },
  accepted: {
    ...{
      digest: "a".repeat(64),
      as: "certificate",
      at,
      bootEpoch: 1,
      by: null,
      provenAt: at,
      provenEpoch: 3,
    },
  },
  measurement: null,
};
const changed: HostAttestationView = {
  ...proven,
  ...{ state: "changed", cause: "EndorsementKeyChanged", words: "The TPM proved another key." },
  key: { digest: "b".repeat(64), certificate: null, activatedAt: at },
};
const section = (tpm: HostAttestationView, may = true) =>
  show(
    <Attestation
      host={{ ...failedHost, actions: may ? [action("disposeDrive")] : [] }}
      tpm={tpm}
      onDone={() => undefined}
    />,
    { answers: {} },
  );

it("shows the key, who vouches for it and of which TPM it is", () => {
  section(proven);
  expect(screen.getByText("a".repeat(64))).toBeVisible();
  expect(screen.getByText("issued by CN=A maker")).toBeVisible();
  expect(screen.getByText("id:49465800, SLB9670, id:00070055")).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});

it("shows both keys if they differ, and offers to accept the new one to those who may", () => {
  const { unmount } = section(changed);
  expect(screen.getByText(/EndorsementKeyChanged: The TPM proved another key/)).toBeVisible();
  expect(screen.getByText("a".repeat(64))).toBeVisible();
  expect(screen.getByText("b".repeat(64))).toBeVisible();
  expect(screen.getByRole("button", { name: "Accept new key…" })).toBeVisible();
  unmount();
  section(changed, false);
  expect(screen.queryByRole("button")).toBeNull();
});

it("says that the site does not ask", () => {
  section({
    ...{ mode: "off", state: "off", cause: null, words: "The site does not ask for the identity of TPMs." },
    ...{ bootEpoch: null, toldAt: null, key: null, accepted: null, measurement: null },
  });
  expect(screen.getByText("The site does not ask for the identity of TPMs.")).toBeVisible();
});

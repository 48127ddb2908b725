// @vitest-environment happy-dom
// While a host's BMC does not answer, what was read from it is grey and shows its age.
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { hostFacts } from "@/components/hosts/one/facts/host-facts";
import { failedHost } from "@/components/testing/host";
import { show } from "@/components/testing/rendered";

it("a host that shares its BMC's address says which system of it it is, and with whom", () => {
  const system = (change: object) =>
    hostFacts({ ...failedHost, ...change }).find(({ term }) => term === "System");
  expect(system({ bmcAddress: "https://b", bmcSystem: "/s/1" })).toBeUndefined();
  expect(system({ bmcAddress: "https://b", bmcSystem: "/s/1", bmcOthers: ["a", "b"] })?.words).toBe(
    "/s/1; also at this BMC: a, b",
  );
});

function facts(bmcAnswers: boolean, powerReadAt: Date | null) {
  const host = { ...failedHost, bmcAddress: "https://10.0.0.5", powerState: "on", bmcAnswers, powerReadAt };
  show(
    <dl>
      {hostFacts(host)
        .filter(({ term }) => term === "Power" || term === "BMC")
        .map(({ term, words }) => (
          <dd key={term}>{words}</dd>
        ))}
    </dl>,
    { answers: {} },
  );
  return screen.getAllByRole("definition");
}

it("power and address are as they are while the BMC answers", () => {
  const [power, bmc] = facts(true, new Date(Date.now() - 60_000));
  expect(power).toHaveTextContent(/^on, read .* ago$/);
  expect(bmc).toHaveTextContent(/^https:\/\/10\.0\.0\.5$/);
});

it("both are grey with their age while it does not", () => {
  const [power, bmc] = facts(false, new Date(Date.now() - 60_000));
  expect(power).toHaveTextContent(/^was on, read .* ago$/);
  expect(bmc).toHaveTextContent(/^https:\/\/10\.0\.0\.5, last read .* ago$/);
  expect(bmc?.firstElementChild).toHaveClass("text-quiet");
});

it("a BMC that never answered is said to have never answered", () => {
  const [, bmc] = facts(false, null);
  expect(bmc).toHaveTextContent(/, never responded$/);
});

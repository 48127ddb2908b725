// The whole fleet in numbers.
import { fleetSummary } from "@/server/contract/answers/fleet";
import { nothing, read } from "@/server/contract/define";

export const fleet = {
  summary: read({
    title: "the fleet in numbers: how many hosts do what, what keeps them, how long the way back takes",
    right: "fleet.read",
    input: nothing,
    output: fleetSummary,
  }),
};

// What a host in the queue says of its place.
import { expect, test } from "vitest";
import { queuePlace } from "./queue-words";

const line = { hostId: "h1", name: "gpu-a-1", model: null, since: new Date(0), tenant: null };
const site = (place: number | null, reason: string) => ({ sites: [{ siteId: "s", site: "a", atWork: 5, limits: [], waiting: 1200, hosts: [{ ...line, place, reason }] }] });

test("a host with a place is told its place and why it waits", () => {
  expect(queuePlace(site(3, "waits for a place among the hosts at work"), "h1")).toEqual({ words: "Place 3 of 1,200 in the queue of a: waits for a place among the hosts at work.", braked: false });
});

test("a host that a brake holds back has no place", () => {
  expect(queuePlace(site(null, "new starts are paused: 12 of 20 hosts with model X failed"), "h1")).toMatchObject({ braked: true });
});

test("a host that is not queued has no words", () => {
  expect(queuePlace(site(3, ""), "h2")).toBeNull();
});

// Without a network, mutations are refused before anything is sent; queries pass.
import { createTRPCClient, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { onlineManager } from "@tanstack/react-query";
import { afterEach, expect, it } from "vitest";
import { problemOf } from "@/components/trpc/query-client";
import { refuseOffline } from "@/components/trpc/refuse-offline";
import type { AppRouter } from "@/server/surfaces/trpc/types";

const sent: string[] = [];
const server: TRPCLink<AppRouter> =
  () =>
  ({ op }) =>
    observable((observer) => {
      sent.push(op.path);
      observer.next({ result: { type: "data", data: {} } });
      observer.complete();
    });
const client = createTRPCClient<AppRouter>({ links: [refuseOffline, server] });
const lift = () =>
  client.brakes.lift.mutate({ brakeId: "00000000-0000-4000-8000-000000000001", reason: "repaired" });

afterEach(() => {
  sent.length = 0;
  onlineManager.setOnline(true);
});

it("an act is not sent, and says so", async () => {
  onlineManager.setOnline(false);
  const failure: unknown = await lift().catch((error: unknown) => error);
  expect(problemOf(failure).words).toMatch(
    /^You are offline\. Nothing was sent, and nothing will be sent later/,
  );
  await client.session.me.query();
  expect(sent).toEqual(["session.me"]);
});

it("with a network it is sent", async () => {
  await lift();
  expect(sent).toEqual(["brakes.lift"]);
});

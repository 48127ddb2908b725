// Refuses mutations while offline, before they are sent: a browser may hold a request until the network is back, and then carry out
// what nobody expects any more.
import { onlineManager } from "@tanstack/react-query";
import { TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "@/server/surfaces/trpc/types";

const words =
  "You are offline. Nothing was sent, and nothing will be sent later: retry when the connection is back.";

/** In the shape that `problemOf` reads. */
export const offlineError = () =>
  TRPCClientError.from<AppRouter>({
    error: { code: -32603, message: words, data: { problem: { detail: words } } },
  });

/** As `watch-server.ts` last found. */
export const isOffline = (): boolean => !onlineManager.isOnline();

/** Lets queries pass: they fail by themselves, and the page shows how old its data is. */
export const refuseOffline: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    op.type === "mutation" && isOffline()
      ? observable((observer) => observer.error(offlineError()))
      : next(op);

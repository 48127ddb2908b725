"use client";
// The typed tRPC client for components.
import { createTRPCContext } from "@trpc/tanstack-react-query";
import type { AppRouter } from "@/server/surfaces/trpc/types";

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

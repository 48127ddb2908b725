"use client";
// Everybody's tokens and sessions, for users who may read them.
import { SettingsHead } from "@/components/sites/settings-head";
import { SessionsTable } from "@/components/access/sessions-table";
import { TokensTable } from "@/components/access/tokens-table";

export function TokensPage() {
  return (
    <>
      <SettingsHead what="API tokens of all users; your own are made on the page Account" />
      <TokensTable />
    </>
  );
}

export function SessionsPage() {
  return (
    <>
      <SettingsHead what="sessions of the console, of all users" />
      <SessionsTable />
    </>
  );
}

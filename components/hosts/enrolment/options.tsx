"use client";
// Options shared by the form for one host and the form for a list: the site, the goal, and whether to trust the BMC on first contact.
import { z } from "zod";
import { enrolmentGoals, firstContacts } from "@/server/domain/hosts/enrolment/progress";

export interface SiteName {
  readonly id: string;
  readonly name: string;
}

export const optionSchema = {
  site: z.string().min(1, "Choose a site"),
  goal: z.enum(enrolmentGoals),
  firstContact: z.enum(firstContacts),
};

export const siteOptions = (sites: readonly SiteName[]) =>
  sites.map(({ name }) => ({ value: name, label: name }));

export const goalOptions = [
  { value: "ready", label: "Until Ready: verified, cleaned, checked" },
  { value: "manageable", label: "Until Manageable: verified only" },
  { value: "enrolled", label: "Enrol only" },
];

/** Kept short, because a select cuts off what is wider than its field. The label's aside says what is trusted. */
export const contactAside = "certificate and identity of an unknown BMC";
export const contactOptions = [
  { value: "confirm", label: "Confirm by hand" },
  { value: "accept", label: "Trust without confirmation" },
];

export const emptyOptions = (sites: readonly SiteName[]) => ({
  site: sites[0]?.name ?? "",
  goal: "ready" as z.infer<typeof optionSchema.goal>,
  firstContact: "confirm" as z.infer<typeof optionSchema.firstContact>,
});

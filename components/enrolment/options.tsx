"use client";
// What one host and a list have in common: the site, how far the hosts go by themselves, and whether first contact is believed.
import { z } from "zod";
import { enrolmentGoals, firstContacts } from "@/server/domain/enrolment/progress";

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

/** Short: a select cuts what is longer than its field. Whose word is meant stands beside the label. */
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

"use client";
// Options shared by the form for one host and the form for a list: the site, the goal, and whether to trust the BMC on first contact.
import { z } from "zod";
import { optionsOf } from "@/components/ui/form/fields";
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

/** The fields. The first contact's options are short, because a select cuts off what is wider; the aside says what is trusted. */
export const optionSpecs = (sites: readonly SiteName[]) => ({
  site: { label: "Site", options: optionsOf(sites.map(({ name }) => name)) },
  goal: {
    label: "Goal",
    options: [
      { value: "ready", label: "Until Ready: verified, cleaned, checked" },
      { value: "manageable", label: "Until Manageable: verified only" },
      { value: "enrolled", label: "Enrol only" },
    ],
  },
  firstContact: {
    label: "First contact",
    aside: "certificate and identity of an unknown BMC",
    options: [
      { value: "confirm", label: "Confirm by hand" },
      { value: "accept", label: "Trust without confirmation" },
    ],
  },
});

export const emptyOptions = (sites: readonly SiteName[]) => ({
  site: sites[0]?.name ?? "",
  goal: "ready" as z.infer<typeof optionSchema.goal>,
  firstContact: "confirm" as z.infer<typeof optionSchema.firstContact>,
});

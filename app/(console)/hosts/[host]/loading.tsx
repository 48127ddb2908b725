// Shown while a tab of a host loads, with the size of its head and a table.
export { default } from "@/app/(console)/(pages)/loading";

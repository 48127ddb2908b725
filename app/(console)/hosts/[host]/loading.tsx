// While a tab of a host is read: the size of its head and a table.
export { default } from "@/app/(console)/(pages)/loading";

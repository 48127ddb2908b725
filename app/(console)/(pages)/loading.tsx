// Shown while a page loads, with the size of a head and a table.
import { Sk, SkeletonRows } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <div aria-busy="true">
      <div className="head">
        <Sk width={96} />
        <Sk width={240} />
      </div>
      <table className="table" aria-label="Loading">
        <tbody>
          <SkeletonRows rows={12} columns={5} />
        </tbody>
      </table>
    </div>
  );
}

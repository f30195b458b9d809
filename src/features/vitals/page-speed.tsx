import { Gauge } from "lucide-react";
import { messageOf } from "@/lib/user-message";
import { Cell, DataTable, HeadCell } from "@/ui/data-table";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { formatVital, isGood, pagesOf, useVitals, VITAL_COLUMNS } from "./use-vitals";

/** The 75th percentile of each page's vitals. */
export function PageSpeed() {
  const vitals = useVitals();
  return (
    <Delayed
      pending={vitals.isPending}
      label="Loading page speeds"
      skeleton={<Skeleton className="h-40 rounded-card" />}
    >
      {() => {
        if (vitals.isLoadingError) {
          return (
            <ErrorState
              message={messageOf(vitals.error)}
              busy={vitals.isFetching}
              onRetry={() => void vitals.refetch()}
            />
          );
        }
        const pages = pagesOf(vitals.data ?? []);
        if (pages.length === 0) return <EmptyState icon={Gauge} message="No page has been measured yet" />;
        return <Table pages={pages} />;
      }}
    </Delayed>
  );
}

function Table({ pages }: { pages: ReturnType<typeof pagesOf> }) {
  return (
    <DataTable
      caption="Page speed, 75th percentiles"
      head={
        <>
          <HeadCell>Page</HeadCell>
          {VITAL_COLUMNS.map(({ vital, label, title }) => (
            <HeadCell key={vital} title={title}>
              {label} <span className="font-normal">{vital}</span>
            </HeadCell>
          ))}
          <HeadCell>Visits</HeadCell>
        </>
      }
    >
      {pages.map(({ route, visits, vitals }) => (
        <tr key={route}>
          <Cell heading className="whitespace-nowrap font-medium">
            {route}
          </Cell>
          {VITAL_COLUMNS.map(({ vital }) => {
            const measured = vitals.get(vital);
            return (
              <Cell key={vital} className="whitespace-nowrap">
                {measured === undefined ? (
                  <span className="text-ink3">none</span>
                ) : isGood(measured) ? (
                  formatVital(measured)
                ) : (
                  <span className="text-orange">{formatVital(measured)}, slow</span>
                )}
              </Cell>
            );
          })}
          <Cell>{visits}</Cell>
        </tr>
      ))}
    </DataTable>
  );
}

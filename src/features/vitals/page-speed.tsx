import type { VitalSummary } from "@server/contract/vitals";
import { Gauge } from "lucide-react";
import { useMedia } from "@/lib/use-media";
import { messageOf } from "@/lib/user-message";
import { Cell, DataTable, HeadCell } from "@/ui/data-table";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { formatVital, isGood, pagesOf, useVitals, VITAL_COLUMNS } from "./use-vitals";

const CAPTION = "Page speed, 75th percentiles";

/** The 75th percentile of each page's vitals. */
export function PageSpeed() {
  const vitals = useVitals();
  const isNarrow = useMedia("(width < 40rem)");
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
        return isNarrow ? <PageCards pages={pages} /> : <PageTable pages={pages} />;
      }}
    </Delayed>
  );
}

type Pages = ReturnType<typeof pagesOf>;

/** All columns fit beside the open sidebar of a window of 1280 px. */
const COLUMNS = "minmax(8rem,1fr) 92px 100px 84px 80px 80px 62px";

function PageTable({ pages }: { pages: Pages }) {
  return (
    <DataTable
      caption={CAPTION}
      columns={COLUMNS}
      head={
        <>
          <HeadCell className={HEAD}>Page</HeadCell>
          {VITAL_COLUMNS.map(({ vital, label, title }) => (
            <HeadCell key={vital} title={title} className={HEAD}>
              <span>
                {label} <span className="block font-normal">{vital}</span>
              </span>
            </HeadCell>
          ))}
          <HeadCell className={HEAD}>Visits</HeadCell>
        </>
      }
    >
      {pages.map(({ route, visits, vitals }) => (
        <tr key={route}>
          <Cell heading className="font-medium [overflow-wrap:anywhere]">
            {route}
          </Cell>
          {VITAL_COLUMNS.map(({ vital }) => (
            <Cell key={vital} className="px-2">
              <VitalValue measured={vitals.get(vital)} />
            </Cell>
          ))}
          <Cell className="px-2">{visits}</Cell>
        </tr>
      ))}
    </DataTable>
  );
}

const HEAD = "h-auto! min-h-10 whitespace-normal px-2 py-1.5 leading-tight first:px-3";

function PageCards({ pages }: { pages: Pages }) {
  return (
    <ul aria-label={CAPTION} className="flex flex-col">
      {pages.map(({ route, visits, vitals }) => (
        <li key={route} className="border-line py-3 first:pt-0 last:pb-0 not-first:border-t">
          <p className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{route}</span>
            <span className="shrink-0 text-dense text-ink2">{visits === 1 ? "1 visit" : `${visits} visits`}</span>
          </p>
          <dl className="mt-2 grid grid-cols-3 gap-x-3 gap-y-2">
            {VITAL_COLUMNS.map(({ vital, label, title }) => (
              <div key={vital}>
                <dt title={title} className="text-ink3 text-meta">
                  {label}
                </dt>
                <dd>
                  <VitalValue measured={vitals.get(vital)} />
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function VitalValue({ measured }: { measured: VitalSummary | undefined }) {
  if (measured === undefined) return <span className="text-ink3">none</span>;
  if (isGood(measured)) return formatVital(measured);
  return <span className="text-orange">{formatVital(measured)}, slow</span>;
}

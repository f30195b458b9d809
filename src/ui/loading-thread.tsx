type LoadingThreadProps = { active: boolean };

/** A 2 px line under the header while something is fetched again. Takes no room; say `aria-busy` on the region itself. */
export function LoadingThread({ active }: LoadingThreadProps) {
  return (
    <div aria-hidden="true" className="pointer-events-none relative h-0 w-full">
      {active && (
        <div className="absolute inset-x-0 top-0 h-0.5 overflow-hidden">
          <div className="thread-fill h-full w-2/7 animate-thread rounded-pill bg-brand" />
        </div>
      )}
    </div>
  );
}

import { type ReactNode, useId } from "react";

type SettingsSectionProps = {
  title: string;
  /** What one finds here, in a sentence. */
  lead: ReactNode;
  children: ReactNode;
};

/** A part of Settings: what it is about at the start, its card beside it, below 1024 px under it. */
export function SettingsSection({ title, lead, children }: SettingsSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-12 gap-y-4 border-line py-8 not-last:border-b first:pt-6 lg:grid-cols-[216px_minmax(0,1fr)]"
    >
      <div>
        <h2 id={id} tabIndex={-1} className="text-h3">
          {title}
        </h2>
        <p className="mt-1.5 text-dense text-ink2">{lead}</p>
      </div>
      <div className="min-w-0 rounded-card bg-raised p-4 shadow-1 sm:p-5">{children}</div>
    </section>
  );
}

import type { DateDuration } from "@internationalized/date";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { CalendarDay } from "@/lib/format";
import { type CalendarMonth, isMonthInReach, mondayOf, monthOf, shiftDay, sundayOf, weeksOf } from "./calendar-days";

type ActiveDayOptions = {
  month: CalendarMonth;
  today: CalendarDay;
  grid: RefObject<HTMLTableElement | null>;
  onMonthChange: (month: CalendarMonth) => void;
};

/** The grid's only tab stop. Moving past the month's end shows the next month and moves the focus there. */
export function useActiveDay({ month, today, grid, onMonthChange }: ActiveDayOptions) {
  const [chosen, setChosen] = useState(today);
  const standard = monthOf(today) === month ? today : `${month}-01`;
  const active = weeksOf(month).flat().includes(chosen) ? chosen : standard;
  const isWanted = useRef(false);
  useEffect(() => {
    // Another month may still be loading.
    if (!isWanted.current || active !== chosen || monthOf(active) !== month) return;
    isWanted.current = false;
    cellOf(grid.current, active)?.focus();
  }, [active, chosen, month, grid]);

  function go(day: CalendarDay, { stays = false } = {}): void {
    if (!isMonthInReach(monthOf(day)) || day === present()) return;
    setChosen(day);
    if (stays) return;
    // Moved back before the other month was shown: it must not be shown either.
    const isOnTheWay = isWanted.current;
    isWanted.current = true;
    if (isOnTheWay || monthOf(day) !== month) onMonthChange(monthOf(day));
  }
  /** The active day, also while another month is still loading. */
  const present = () => (isWanted.current ? chosen : active);
  return { active, present, go };
}

/** The day that a key moves to; null for other keys. */
export function dayFor({ key, shiftKey }: KeyboardEvent, day: CalendarDay): CalendarDay | null {
  if (key === "Home") return mondayOf(day);
  if (key === "End") return sundayOf(day);
  const by = shiftKey && key.startsWith("Page") ? STEPS.get(`Shift${key}`) : STEPS.get(key);
  return by ? shiftDay(day, by) : null;
}

const STEPS = new Map<string, DateDuration>([
  ["ArrowLeft", { days: -1 }],
  ["ArrowRight", { days: 1 }],
  ["ArrowUp", { weeks: -1 }],
  ["ArrowDown", { weeks: 1 }],
  ["PageUp", { months: -1 }],
  ["PageDown", { months: 1 }],
  ["ShiftPageUp", { years: -1 }],
  ["ShiftPageDown", { years: 1 }],
]);

/** The cell of a visible day. */
export function cellOf(grid: HTMLTableElement | null, day: CalendarDay): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-day="${day}"]`) ?? null;
}

import { expect, test } from "vitest";
import { inPlaceOfTask, pushed, without } from "./layers";

test("a layer knows how many entries back it was still closed, whatever came on top", () => {
  const panel = pushed({}, "panel");
  expect(panel).toEqual({ panel: 1 });
  const edit = pushed(panel, "modal");
  expect(edit).toEqual({ panel: 2, modal: 1 });
  expect(pushed(edit)).toEqual({ panel: 3, modal: 2 });
});

test("a layer that came with the address has nothing of ours behind it", () => {
  expect(pushed({}, "modal")).toEqual({ modal: 1 });
  expect(without({ panel: 2, modal: 1 }, "modal")).toEqual({ panel: 2 });
  expect(without({}, "panel")).toEqual({});
});

test("what stands in place of a task is as many entries back as that was, and a panel below it stays where it was", () => {
  const task = pushed({}, "task");
  expect(inPlaceOfTask(task, "panel")).toEqual({ panel: 1 });
  expect(inPlaceOfTask(task, "modal")).toEqual({ modal: 1 });
  const overPanel = pushed(pushed({}, "panel"), "task");
  expect(inPlaceOfTask(overPanel, "panel")).toEqual({ panel: 2 });
  expect(inPlaceOfTask(overPanel, "modal")).toEqual({ panel: 2, modal: 1 });
  expect(inPlaceOfTask({}, "modal")).toEqual({});
});

import { relative } from "node:path";

/** Beside Playwright's own reporters: sends how far the run is to the process that started it, where there is one. */
export default class PlaywrightProgress {
  #progress = { done: 0, failed: 0, total: 0 };

  onBegin(_config, suite) {
    this.#progress.total = suite.allTests().length;
    this.#send();
  }

  onTestEnd(test) {
    this.#progress.done++;
    if (test.ok()) return this.#send();
    this.#progress.failed++;
    this.#send(`${relative(process.cwd(), test.location.file)}:${test.location.line} ${test.title}`);
  }

  /** The console belongs to the reporters beside it. */
  printsToStdio() {
    return false;
  }

  #send(failedTest) {
    if (process.connected) process.send({ ...this.#progress, failedTest });
  }
}

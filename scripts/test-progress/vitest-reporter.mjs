/** Beside Vitest's own reporters: sends how far the run is to the process that started it, where there is one. */
export default class VitestProgress {
  // How many tests there are is known only when the last file has been read.
  #progress = { done: 0, failed: 0, files: { done: 0, total: 0 } };

  onTestRunStart(specifications) {
    this.#progress.files.total = specifications.length;
    this.#send();
  }

  onTestCaseResult(test) {
    const { state } = test.result();
    if (state === "skipped") return;
    this.#progress.done++;
    if (state !== "failed") return this.#send();
    this.#progress.failed++;
    this.#send(`${test.module.relativeModuleId}: ${test.fullName}`);
  }

  onTestModuleEnd() {
    this.#progress.files.done++;
    this.#send();
  }

  #send(failedTest) {
    if (process.connected) process.send({ ...this.#progress, failedTest });
  }
}

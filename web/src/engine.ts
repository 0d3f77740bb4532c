// Asks the worker. A module that fails (out of memory, a stack that is too deep) or a run that is stopped takes its
// worker with it; the next request starts a new one.
import EngineWorker from "./worker?worker";

interface Waiting {
  resolve(value: { text: string; ms: number }): void;
  reject(problem: Error): void;
}

// Why a module failed, for the reader.
function inWords(problem: string): string {
  if (/call stack|stack overflow|unreachable|native code called abort/i.test(problem)) return "it nests more deeply than this page can follow";
  if (/memory|allocat/i.test(problem)) return "it needs more memory than this page has";
  if (/importScripts|NetworkError|Failed to fetch|failed to load/i.test(problem)) return "a part of the page could not be loaded";
  return `the engine stopped (${problem.slice(0, 120)})`;
}

class Pool {
  private worker: Worker | null = null;
  private waiting = new Map<number, Waiting>();
  private next = 0;

  call(name: string, texts: string[]): Promise<{ text: string; ms: number }> {
    const worker = this.started();
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      worker.postMessage({ id, base: new URL("./wasm/", document.baseURI).href, name, texts });
    });
  }

  end(why: string) {
    this.worker?.terminate();
    this.worker = null;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const each of waiting) each.reject(new Error(why));
  }

  private started(): Worker {
    if (this.worker) return this.worker;
    const worker = new EngineWorker();
    worker.onmessage = (event) => {
      const { id, text, ms, problem } = event.data;
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      if (problem === undefined) return waiting?.resolve({ text, ms });
      waiting?.reject(new Error(inWords(problem)));
      this.end("the engine was started again");
    };
    worker.onerror = (event) => this.end(inWords(event.message || "failed to load"));
    this.worker = worker;
    return worker;
  }
}

export const checking = new Pool();
export const running = new Pool();

export async function ask<T>(pool: Pool, name: string, ...texts: string[]): Promise<T> {
  return JSON.parse((await pool.call(name, texts)).text) as T;
}

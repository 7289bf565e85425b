import { read } from "./disk";
import type { Row } from "./row";

/** How many rows. */
export const LIMIT = 10;

export interface Options {
  path: string;
  retry?: number;
  log(text: string): void;
}

export enum Mode {
  Fast = 1,
  Slow,
}

export type Handler = (row: Row) => void;

@Injectable()
export class Store extends Base {
  private rows: Row[] = [];
  static limit = 3;

  constructor(path: string) {
    super(path);
  }

  @Cached()
  async flush(deep = false): Promise<void> {
    const total = 1;
    return this.write(total);
  }

  get size(): number {
    return this.rows.length;
  }

  handle = async (row: Row) => {
    this.rows.push(row);
  };
}

export function open(path: string): Store;
export function open(path: string, mode?: Mode): Store {
  return new Store(path);
}

export const parse = (text: string) => {
  return text.split(",");
};

export default {
  name: "store",
  methods: {
    load() {
      return 1;
    },
    save: () => 2,
  },
};

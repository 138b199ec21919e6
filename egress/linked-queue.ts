export interface Linked<Entry extends Linked<Entry>> {
  previous: Entry | undefined;
  next: Entry | undefined;
  /** Undefined outside queues. */
  queue: LinkedQueue<Entry> | undefined;
}

/** First in, first out. Entries hold their own links, so that any of them leaves in constant time. */
export class LinkedQueue<Entry extends Linked<Entry>> {
  head: Entry | undefined;
  size = 0;
  private tail: Entry | undefined;

  push(entry: Entry): void {
    entry.queue = this;
    entry.previous = this.tail;
    if (this.tail) this.tail.next = entry;
    else this.head = entry;
    this.tail = entry;
    this.size++;
  }

  shift(): Entry | undefined {
    const entry = this.head;
    if (entry) this.remove(entry);
    return entry;
  }

  remove(entry: Entry): void {
    const { previous, next } = entry;
    if (previous) previous.next = next;
    else this.head = next;
    if (next) next.previous = previous;
    else this.tail = previous;
    entry.previous = entry.next = entry.queue = undefined;
    this.size--;
  }
}

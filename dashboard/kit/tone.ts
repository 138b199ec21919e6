/** How a state looks: what it means is said by its word. */
export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info';

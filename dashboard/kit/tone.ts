export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info';

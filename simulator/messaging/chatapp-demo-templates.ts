import type { JsonObject } from '../webhooks/item.ts';

interface Template {
  readonly name: string;
  readonly language: string;
  readonly category: string;
  readonly status: string;
  readonly components: readonly JsonObject[];
}

/** The platform approves only templates with an example of each parameter. */
const orderExample = { body_text: [['Kim', 'A1']] };

export const demoTemplates: readonly Template[] = [
  {
    name: 'hello_world',
    language: 'en_US',
    category: 'UTILITY',
    status: 'APPROVED',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hello World' },
      { type: 'BODY', text: 'Welcome! This message shows that sending works.' },
      { type: 'FOOTER', text: 'Demo' },
    ],
  },
  {
    name: 'order_ready',
    language: 'en_US',
    category: 'UTILITY',
    status: 'APPROVED',
    components: [{ type: 'BODY', text: 'Hi {{1}}, your order {{2}} is ready.', example: orderExample }],
  },
  {
    name: 'order_ready',
    language: 'de',
    category: 'UTILITY',
    status: 'APPROVED',
    components: [{ type: 'BODY', text: 'Hallo {{1}}, deine Bestellung {{2}} ist fertig.', example: orderExample }],
  },
  {
    name: 'spring_offer',
    language: 'en_US',
    category: 'MARKETING',
    status: 'APPROVED',
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://pictures.example/offer.png'] } },
      { type: 'BODY', text: 'Twenty percent off until {{1}}.', example: { body_text: [['Sunday']] } },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Stop offers' }] },
    ],
  },
  {
    name: 'delivery_delayed',
    language: 'en_US',
    category: 'UTILITY',
    status: 'PAUSED',
    components: [{ type: 'BODY', text: 'Your delivery is late. We are sorry.' }],
  },
];

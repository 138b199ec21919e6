import type { CallDefinition, CallTable } from '../scripted-api/api.ts';
import { listAt, textAt } from '../scripted-api/parameters.ts';
import { invalidParameter } from '../scripted-api/refusals.ts';
import type { JsonObject } from '../webhooks/item.ts';
import { newNumericId } from '../webhooks/platform-ids.ts';
import { isBusinessAccount } from './chatapp-business.ts';
import { templateFields, withIds } from './chatapp-templates.ts';
import { templateSchema } from './control.ts';
import { bodyOf, done, type MessagingState } from './state.ts';
import type { MessagingTypes } from './subject.ts';

type TemplateCall = CallDefinition<MessagingTypes>;

interface TemplateCalls {
  readonly edges: CallTable<MessagingTypes>;
  readonly read: TemplateCall;
  readonly edit: TemplateCall;
}

/** Created and changed templates are approved immediately. */
export function templateCalls({ script, numbers }: MessagingState): TemplateCalls {
  const all = () => withIds(script.settings().templates);
  const find = (wanted: JsonObject) =>
    all().find(
      (each) => each.id === wanted['id'] || (each.name === wanted['name'] && each.language === wanted['language']),
    );

  function save({ id = newNumericId(), name, language, category, components }: JsonObject) {
    if (language === undefined || category === undefined) throw invalidParameter('The parameters language and category are required.'); // prettier-ignore
    const { data, error } = templateSchema.safeParse({ id, name, language, category, components });
    if (!data) throw invalidParameter(`Param ${error.issues[0]?.path.join('.')} is invalid.`);
    script.control({ templates: [...all().filter((each) => each.id !== id), data] });
    return { id, language, status: data.status, category };
  }

  const ofBusiness = (perform: (values: JsonObject) => JsonObject): TemplateCall => ({
    at: 'templates',
    isFor: ({ id }) => isBusinessAccount(numbers(), id),
    perform: ({ parameters }) => done(perform(bodyOf(parameters))),
  });
  const ofTemplate = (perform: (template: JsonObject, values: JsonObject) => JsonObject): TemplateCall => ({
    at: 'templates',
    isFor: ({ id }) => find({ id }) !== undefined,
    perform: ({ target: { id }, parameters }) => done(perform(find({ id }) ?? {}, bodyOf(parameters))),
  });

  const edges = {
    'POST message_templates': ofBusiness(({ id: _id, ...values }) => {
      if (find(values)) throw invalidParameter('Content in this language already exists for this template.');
      const { language: _language, ...made } = save(values);
      return made;
    }),
    'DELETE message_templates': ofBusiness(({ name, hsm_id: wanted }) => {
      const kept = all().filter((each) => each.name !== name || (wanted ?? each.id) !== each.id);
      if (kept.length === all().length) throw invalidParameter('Param name must name a template.');
      script.control({ templates: kept });
      return { success: true };
    }),
    'POST upsert_message_templates': ofBusiness((values) => {
      const languages = listAt(values, 'languages') ?? [];
      if (languages.length === 0) throw invalidParameter('Param languages must be a list of languages.');
      const saved = languages.map((language) => {
        const { id } = find({ ...values, language }) ?? {};
        return save({ ...values, language, id });
      });
      return { data: saved.map(({ category: _category, ...each }) => each) };
    }),
    'GET message_template_previews': ofBusiness((values) => {
      if (values['category'] !== 'AUTHENTICATION') throw invalidParameter('Param category must be AUTHENTICATION.');
      const body = '*{{1}}* is your verification code.';
      const buttons = [{ autofill_text: 'Autofill', text: 'Copy code' }];
      const languages = textAt(values, 'languages')?.split(',') ?? ['en_US'];
      return { data: languages.map((language) => ({ body, buttons, language: language.trim() })) };
    }),
    'GET template_analytics': ofBusiness((values) => {
      const missing = ['start', 'end', 'granularity', 'template_ids'].find((name) => values[name] === undefined);
      if (missing !== undefined) throw invalidParameter(`The parameter ${missing} is required.`);
      return { data: [{ granularity: 'DAILY', product_type: 'cloud_api', data_points: [] }] };
    }),
  };
  const read = ofTemplate((template, values) => {
    const names = templateFields(textAt(values, 'fields'));
    return Object.fromEntries(Object.entries(template).filter(([name]) => names.has(name)));
  });
  const edit = ofTemplate((template, { category = template['category'], components = template['components'] }) => {
    save({ ...template, category, components });
    return { success: true };
  });
  return { edges, read, edit };
}

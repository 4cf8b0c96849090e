import { useRef } from 'react'
import { CADENCES, PLAN_TYPES } from '../../../contract/values.ts'
import type { Template, TemplateEdit } from '../../../contract/schemas/templates.ts'
import { CallError } from '../../sync/client.ts'
import { SelectField, TextAreaField, TextField } from '../../ui/form/field.tsx'
import { EditorForm } from '../../widgets/editing/editor-form.tsx'
import { withPresent } from '../../widgets/editing/form-fields.ts'
import { changesOf, useEditor } from '../../widgets/editing/use-editor.tsx'
import { updateTemplate } from '../../data/templates.ts'
import { createOnce } from './new-template.ts'
import { StepsEditor } from './steps-editor.tsx'
import { blankTemplate, checkTemplate, templateToFields, stepsOf } from './template-fields.ts'
import { useWriteBlocker } from './use-write-blocker.ts'
import { templateFormMessages as messages, templateMessages } from './messages.ts'

interface TemplateFormProps {
  /** The template to edit; omitted for a new one. */
  template?: Template
  onDone: () => unknown
  onCancel: () => void
}

/** The template form as part of a page. Saving needs a network; what is typed is stored as a draft. */
export function TemplateForm({ template, onDone, onCancel }: TemplateFormProps) {
  // What others have made of it, once the user knows: saving again replaces that.
  const replaced = useRef<Template>(undefined)
  const sent = useRef<TemplateEdit>({})
  const editor = useEditor({
    draft: `template:${template?.id ?? ''}`,
    id: 'template',
    initial: template ? templateToFields(template) : blankTemplate(),
    record: template,
    labels: messages.fields,
    check: checkTemplate,
    save: async (value, changed, seen, { new_id }) => {
      const known = replaced.current ?? seen
      // Of a new one also what is empty, as an earlier attempt may have been filled.
      const body = changesOf(value, seen ? changed : (Object.keys(fields) as typeof changed))
      const before = sent.current
      if (known) sent.current = { ...before, ...body }
      const current = known
        ? await updateTemplate(known, body, before)
        : await createOnce({ ...body, id: new_id })
      if (!current) return undefined
      replaced.current = current
      throw new CallError('refused', { status: 412, message: messages.changedMeanwhile })
    },
    done: onDone,
  })
  const { field, fields, set, initial: present } = editor

  return (
    <EditorForm
      editor={editor}
      action={template ? messages.save : messages.create}
      hint={messages.online}
      unavailable={useWriteBlocker()}
      onCancel={onCancel}
    >
      <TextField {...field('title')} autoComplete="off" />
      <TextAreaField {...field('description')} hint={messages.descriptionHint} optional />
      <div className="grid gap-x-4 min-[22rem]:grid-cols-2 gap-y-6 sm:grid-cols-3 sm:gap-x-6">
        <TextField {...field('duration_days')} inputMode="numeric" autoComplete="off" />
        <SelectField {...field('type')} optional>
          <option value="">{messages.anyType}</option>
          {withPresent(PLAN_TYPES, present.type).map((type) => (
            <option key={type} value={type}>
              {templateMessages.kind(type)}
            </option>
          ))}
        </SelectField>
        <SelectField {...field('update_cadence_days')} optional>
          <option value="">{messages.noCadence}</option>
          {withPresent(CADENCES.map(String), present.update_cadence_days).map((days) => (
            <option key={days} value={days}>
              {messages.days(Number(days))}
            </option>
          ))}
        </SelectField>
      </div>
      <StepsEditor
        id="template-initiatives"
        steps={stepsOf(fields)}
        last={fields.duration_days}
        errors={editor.errors}
        onChange={(steps) => set({ initiatives: JSON.stringify(steps) })}
      />
    </EditorForm>
  )
}

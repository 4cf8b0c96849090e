import { useState } from 'react'
import { useNavigate } from 'react-router'
import { validate } from '../../../contract/errors.ts'
import type { SuccessPlan } from '../../../contract/success-plans.ts'
import { TemplateDraft } from '../../../contract/templates.ts'
import { newId } from '../../sync/new-id.ts'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { EditorDialog } from '../editing/editor-form.tsx'
import { useEditor } from '../editing/use-editor.tsx'
import { createTemplate } from './mutations.ts'
import { useWhyNotWrite } from './why-not-write.ts'
import { fromTemplateWords as words } from './words.ts'

interface SaveAsTemplateProps {
  plan: Pick<SuccessPlan, 'id' | 'title'>
  onClose: () => void
}

/** Makes a template of a plan's work, on the server and at once. */
export function SaveAsTemplate({ plan, onClose }: SaveAsTemplateProps) {
  const navigate = useNavigate()
  const [id] = useState(() => newId())
  const editor = useEditor({
    draft: `template-of:${plan.id}`,
    id: 'template',
    said: { title: plan.title },
    labels: { title: words.saveTitle },
    check: ({ title }) => validate(TemplateDraft, { title, from_success_plan_id: plan.id }),
    save: async (draft) => {
      await createTemplate({ ...draft, id })
      return draft.title ?? plan.title
    },
    done: (title) => {
      onClose()
      toast(words.saved(title), { label: words.show, onSelect: () => void navigate('/templates') })
    },
  })
  return (
    <EditorDialog
      editor={editor}
      title={words.save}
      description={words.saveLead}
      action={words.save}
      unavailable={useWhyNotWrite()}
      onCancel={onClose}
    >
      <TextField {...editor.field('title')} autoComplete="off" />
    </EditorDialog>
  )
}

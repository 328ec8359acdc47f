#!/usr/bin/env node
// Writes <file>_rules.ts beside the generated messages: what the contract demands of each text field
// (buf.validate), as plain numbers and patterns. Forms show them before anything is sent, without the validator
// and its 60 KB.
import { createRegistry, getExtension, hasExtension } from "@bufbuild/protobuf";
import { createEcmaScriptPlugin, runNodeJs } from "@bufbuild/protoplugin";

/** Rules of buf.validate.StringRules that a form can show. */
const SHOWN = ["min_len", "max_len", "max_bytes", "pattern"];

function rulesOf(field, extension) {
  if (!field.proto.options || !hasExtension(field.proto.options, extension)) return null;
  const rules = getExtension(field.proto.options, extension);
  const text = rules.type?.case === "string" ? rules.type.value : null;
  if (!text) return null;
  const shown = {};
  for (const name of SHOWN) {
    const local = name.replaceAll(/_(.)/g, (_, c) => c.toUpperCase());
    if (Object.hasOwn(text, local) && text[local] !== undefined)
      shown[local] = typeof text[local] === "bigint" ? Number(text[local]) : text[local];
  }
  return Object.keys(shown).length ? shown : null;
}

runNodeJs(
  createEcmaScriptPlugin({
    name: "protoc-gen-rules",
    version: "v1",
    generateTs(schema) {
      const extension = createRegistry(...schema.allFiles).getExtension("buf.validate.field");
      if (!extension) return;
      for (const file of schema.files) {
        const messages = file.messages
          .map((message) => [
            message,
            message.fields.map((field) => [field.localName, rulesOf(field, extension)]).filter(([, r]) => r),
          ])
          .filter(([, fields]) => fields.length);
        if (!messages.length) continue;
        const out = schema.generateFile(`${file.name}_rules.ts`);
        out.preamble(file);
        for (const [message, fields] of messages) {
          out.print("");
          out.print(`/** What ${message.typeName} demands of its texts. */`);
          out.print(`export const ${message.name}Rules = {`);
          for (const [name, rules] of fields) {
            const entries = Object.entries(rules).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
            out.print(`  ${name}: { ${entries.join(", ")} },`);
          }
          out.print("} as const;");
        }
      }
    },
  }),
);

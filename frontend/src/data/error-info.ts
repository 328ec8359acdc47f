import type { Message } from "@bufbuild/protobuf";
import { create, createFileRegistry } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";

/** google.rpc.ErrorInfo: the stable reason of an error and, in metadata.field, the faulty field. */
export type ErrorInfo = Message<"google.rpc.ErrorInfo"> & {
  reason: string;
  domain: string;
  metadata: Record<string, string>;
};

/** The domain of this product's reasons. */
export const DOMAIN = "serein.app";

const text = (name: string, number: number) => ({ name, number, type: Type.STRING, label: Label.OPTIONAL });

/** Declared by hand: three fields of a public type need no code generator and no vendored .proto. */
const file = create(FileDescriptorProtoSchema, {
  name: "google/rpc/error_details.proto",
  package: "google.rpc",
  syntax: "proto3",
  messageType: [
    {
      name: "ErrorInfo",
      field: [
        text("reason", 1),
        text("domain", 2),
        {
          name: "metadata",
          number: 3,
          type: Type.MESSAGE,
          label: Label.REPEATED,
          typeName: ".google.rpc.ErrorInfo.MetadataEntry",
        },
      ],
      nestedType: [
        { name: "MetadataEntry", field: [text("key", 1), text("value", 2)], options: { mapEntry: true } },
      ],
    },
  ],
});

export const ErrorInfoSchema = createFileRegistry(file, () => undefined).getMessage(
  "google.rpc.ErrorInfo",
) as GenMessage<ErrorInfo>;

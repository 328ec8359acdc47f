export { ArticlePage as default } from "@/features/articles/ArticlePage";
